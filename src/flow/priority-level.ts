import { FairQueues, type FlowQueue, type Waiting } from './fair-queues.ts';
import { deal, entropyOf } from './shuffle-sharding.ts';

/** How the requests of a level wait. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  /** How many may wait in one queue. */
  readonly queueLengthLimit: number;
}

export interface LevelConfiguration {
  readonly uid: string;
  /** Seats, at least one; infinite for a level without limits. */
  readonly limit: number;
  /** Undefined: nobody waits, what finds no seat is refused. */
  readonly queuing: Queuing | undefined;
}

/** What a level calls when the turn of a waiting request has come, with the seats it was given. */
export interface Candidate extends Waiting {
  begin(seats: number): void;
}

/**
 * A number of seats, and who waits for them. Every request takes one, large lists several. While there are free seats and
 * nobody waits, a request just takes its own; only from there on does it matter whose turn it is.
 */
export class PriorityLevel<Request extends Candidate> {
  readonly name: string;
  readonly queues = new FairQueues<Request>();
  #configuration: LevelConfiguration;
  #seatsInUse = 0;
  #executing = 0;

  constructor(name: string, configuration: LevelConfiguration) {
    this.name = name;
    this.#configuration = configuration;
  }

  get configuration(): LevelConfiguration {
    return this.#configuration;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get executing(): number {
    return this.#executing;
  }

  /** Takes effect at once; whoever waits keeps the queue it is in. */
  configure(configuration: LevelConfiguration): void {
    this.#configuration = configuration;
    this.#admitWaiting();
  }

  /** The seats taken, 0 when there is no room. None needs more than there are, however large it is. */
  take(wanted: number): number {
    const { limit } = this.#configuration;
    const seats = Math.min(wanted, limit);
    if (this.queues.length > 0 || this.#seatsInUse + seats > limit) return 0;
    this.#seatsInUse += seats;
    this.#executing++;
    return seats;
  }

  /** Has a request wait in one of the queues of its flow. Undefined: it cannot, all of them are full or there are none. */
  enqueue(schema: string, distinguisher: string, request: Request): FlowQueue<Request> | undefined {
    const { queuing } = this.#configuration;
    if (!queuing) return undefined;
    const hand = deal(entropyOf(schema, distinguisher), queuing.queues, queuing.handSize);
    const queue = this.queues.shortest(hand);
    if (queue.waiting.size >= queuing.queueLengthLimit) return undefined;
    this.queues.enqueue(queue, request);
    return queue;
  }

  /** A request waits no longer. It may have been a large one that held up smaller ones. */
  abandon(queue: FlowQueue<Request>, request: Request): void {
    this.queues.remove(queue, request);
    this.#admitWaiting();
  }

  /** A request is over. `queue`: where it waited, if it did. */
  release(seats: number, queue: FlowQueue<Request> | undefined, milliseconds: number): void {
    this.#seatsInUse -= seats;
    this.#executing--;
    if (queue) this.queues.finish(queue, seats, milliseconds);
    if (this.queues.length > 0) this.#admitWaiting();
  }

  #admitWaiting(): void {
    const { limit } = this.#configuration;
    for (let queue = this.queues.next(); queue; queue = this.queues.next()) {
      const { head } = queue;
      if (!head) return;
      const seats = Math.min(head.seats, limit);
      // No smaller one goes first: the large one would never see enough free seats.
      if (this.#seatsInUse + seats > limit) return;
      this.queues.start(queue, head, seats);
      this.#seatsInUse += seats;
      this.#executing++;
      head.begin(seats);
    }
  }
}
