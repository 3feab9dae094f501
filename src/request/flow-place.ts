/** The part of the server that a request was given to. */
export interface FlowPlace {
  /** The flow schema it belongs to. */
  readonly schema: string;
  readonly level: { readonly name: string };
}

/** What a request met that found no free seat. */
export interface FlowWait {
  /** That it needs. */
  readonly seats: number;
  /** Of its level, when it came. */
  readonly seatsInUse: number;
  readonly seatLimit: number;
  /** How many requests waited at its level then. */
  readonly waiting: number;
  /** Of the queue it joined, itself included; 0: it joined none. */
  queueLength: number;
  /** Why it was turned away. */
  refused?: string;
}
