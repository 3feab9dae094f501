/** What waits for its turn, and how much of the server it will take. */
export interface Waiting {
  readonly seats: number;
}

/** How long a request is taken to last, in milliseconds, until it is over and its true duration known. */
const ESTIMATED_MS = 3;

/** The requests of the flows that were dealt this queue: those that wait, in their order, and those that run. */
export class FlowQueue<Request extends Waiting> {
  readonly index: number;
  readonly waiting = new Set<Request>();
  seatsWaiting = 0;
  seatsInUse = 0;
  executing = 0;
  /** The virtual time at which its next request may begin: what earlier ones have used is behind it. */
  nextStart: number;

  constructor(index: number, nextStart: number) {
    this.index = index;
    this.nextStart = nextStart;
  }

  get load(): number {
    return this.seatsWaiting + this.seatsInUse;
  }

  get head(): Request | undefined {
    const [first] = this.waiting;
    return first;
  }
}

/**
 * Start-time fair queueing. Each queue has an account of seat-milliseconds used; the one that has used least comes next.
 * The level's virtual time is the account of whoever came last: a queue that was idle joins there, so that nobody saves
 * up for later. A queue exists only while something waits or runs in it, however many there could be.
 */
export class FairQueues<Request extends Waiting> {
  readonly #queues = new Map<number, FlowQueue<Request>>();
  #virtualTime = 0;
  #length = 0;

  /** How many wait. */
  get length(): number {
    return this.#length;
  }

  get virtualTime(): number {
    return this.#virtualTime;
  }

  all(): Iterable<FlowQueue<Request>> {
    return this.#queues.values();
  }

  /** The least loaded queue of a hand, the first of several. */
  shortest(hand: readonly number[]): FlowQueue<Request> {
    let best: FlowQueue<Request> | undefined;
    for (const index of hand) {
      const queue = this.#queues.get(index);
      if (!queue) return new FlowQueue(index, this.#virtualTime);
      if (!best || queue.load < best.load) best = queue;
    }
    return best ?? new FlowQueue(0, this.#virtualTime);
  }

  enqueue(queue: FlowQueue<Request>, request: Request): void {
    this.#queues.set(queue.index, queue);
    if (queue.waiting.size === 0) queue.nextStart = Math.max(queue.nextStart, this.#virtualTime);
    queue.waiting.add(request);
    queue.seatsWaiting += request.seats;
    this.#length++;
  }

  /** Lets go of a request that waits no longer. */
  remove(queue: FlowQueue<Request>, request: Request): void {
    if (!queue.waiting.delete(request)) return;
    queue.seatsWaiting -= request.seats;
    this.#length--;
    this.#forgetIdle(queue);
  }

  /** The queue whose turn it is; of several the one that is there longest. */
  next(): FlowQueue<Request> | undefined {
    let best: FlowQueue<Request> | undefined;
    for (const queue of this.#queues.values()) {
      if (queue.waiting.size === 0) continue;
      if (!best || queue.nextStart < best.nextStart) best = queue;
    }
    return best;
  }

  /** The head of the queue begins; for now it is charged what requests usually use. */
  start(queue: FlowQueue<Request>, request: Request, seats: number): void {
    this.#virtualTime = Math.max(this.#virtualTime, queue.nextStart);
    queue.nextStart += seats * ESTIMATED_MS;
    queue.seatsInUse += seats;
    queue.executing++;
    this.remove(queue, request);
  }

  /** A request that was started is over: it is charged what it has really used. */
  finish(queue: FlowQueue<Request>, seats: number, milliseconds: number): void {
    queue.nextStart += seats * (milliseconds - ESTIMATED_MS);
    queue.seatsInUse -= seats;
    queue.executing--;
    this.#forgetIdle(queue);
  }

  #forgetIdle(queue: FlowQueue<Request>): void {
    if (queue.waiting.size === 0 && queue.executing === 0) this.#queues.delete(queue.index);
  }
}
