import type { Value } from './draft.ts';

/** What every object that travels on its own says of itself. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The TypeScript type of values in canonical form. */
export type Infer<N extends { readonly shape: { readonly type: unknown } }> = ValueOf<N>;

export type ValueOf<N> = N extends { readonly shape: { readonly type: infer T } } ? T : never;
type Zero<N> = N extends { readonly shape: { readonly zeroType: infer Z } } ? Z : never;
type PresenceOf<X> = X extends { readonly node: { readonly facts: { readonly presence: infer P } } } ? P : never;
type NodeOf<X> = X extends { readonly node: infer N } ? N : never;
type IsInline<X> = X extends { readonly inline: true } ? true : false;

type WrittenKeys<F> = {
  [K in keyof F]: IsInline<F[K]> extends true ? never : PresenceOf<F[K]> extends 'always' | 'nullable' ? K : never;
}[keyof F];
type OmittedKeys<F> = {
  [K in keyof F]: IsInline<F[K]> extends true
    ? never
    : PresenceOf<F[K]> extends 'implicit' | 'optional' | 'explicit'
      ? K
      : never;
}[keyof F];
type InlineKeys<F> = { [K in keyof F]: IsInline<F[K]> extends true ? K : never }[keyof F];

type WrittenValue<X> = ValueOf<NodeOf<X>> | (PresenceOf<X> extends 'nullable' ? null : Zero<NodeOf<X>>);
type OmittedValue<X> = ValueOf<NodeOf<X>> | (PresenceOf<X> extends 'explicit' ? null : never);
type Intersect<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** A map with free keys. */
export type Values<T> = { readonly [key: string]: T } & Value;

export type StructValue<F> = Value &
  Flat<
    { [K in WrittenKeys<F>]: WrittenValue<F[K]> } & {
      [K in OmittedKeys<F>]?: OmittedValue<F[K]>;
    } & (InlineKeys<F> extends never
        ? unknown
        : Intersect<{ [K in InlineKeys<F>]: ValueOf<NodeOf<F[K]>> }[InlineKeys<F>]>)
  >;
