/** Nothing, or not all of an answer, came in time. */
export class NoAnswerInTime extends Error {}

/** More of an answer came than was asked for. */
export class AnswerTooLarge extends Error {}

/** A connection that was kept open turned out to be closed: it is not known that the other side got anything. */
export class ConnectionWasClosed extends Error {}

/** The other side has done nothing with the request and will not: it may be sent again, whatever it would change. */
export class NotProcessed extends Error {}
