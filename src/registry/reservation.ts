/** What only one object may hold, kept for an object while a write of it is on its way. */
export interface Reservation {
  /**
   * The write is over, however it ended. Whoever keeps account follows what is stored and knows by now what the write
   * brought and what it gave up, so all that is left to do is to drop the hold of the write itself.
   */
  end(): void;
}

/** Where services get their addresses and ports from. */
export interface ServiceSupply {
  /** Families that there are addresses of, IPv4 or IPv6 or both, the default one first. */
  readonly families: readonly string[];
  /** `owner`: namespace and name of the service. A dry run may ask for what is out of range. */
  begin(owner: string, dryRun: boolean): ServiceClaims;
}

/**
 * What a write of a service takes, one thing at a time. The methods that are asked for a certain thing answer what is
 * wrong with that, if anything; the others throw when there is nothing left.
 */
export interface ServiceClaims extends Reservation {
  address(wanted: string): string | undefined;
  anyAddress(family: string): string;
  port(wanted: number): string | undefined;
  anyPort(): number;
}
