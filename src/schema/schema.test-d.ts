/** What must not compile does not: the type checker fails for each line below a directive that has no error. */
import { anything, bool, bytes, int32, string, time } from './scalars.ts';
import { f, type Infer, kind, list, loose, map, open, struct } from './schema.ts';

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_: Same<A, B>): void => {};

const Part = struct('test.Part', { name: f(1, string()), size: f(2, int32().optional()) });

// How writers share something is for shapes that can be shared that way.
list(Part).mapBy('name');
list(string()).set();
map(string()).atomic();
Part.granular();
bytes().atomicList();
loose('list').mapBy('name');
// @ts-expect-error a text has no elements
string().mapBy('name');
// @ts-expect-error nor has a struct
Part.mapBy('name');
// @ts-expect-error a map is no list
map(string()).set();
// @ts-expect-error a number is no list
int32().atomicList();
// @ts-expect-error a list is shared as a list
list(string()).atomic();
// @ts-expect-error a text has no fields
string().granular();

// A default is a value of the type.
string().default('x');
int32().default(3);
list(string()).default(['x']);
Part.optional().default({ name: 'x' });
// @ts-expect-error a number is no text
string().default(3);
// @ts-expect-error a text is no number
int32().publishedDefault('3');
// @ts-expect-error elements have types too
list(string()).default([3]);
// @ts-expect-error a field that the struct does not have
Part.optional().default({ name: 'x', other: 1 });

// An enumeration is one of texts.
string().oneOf('a', 'b');
// @ts-expect-error a number has no allowed texts
int32().oneOf('1');
// @ts-expect-error nor a list
list(string()).suggests('a');

// A field has a number and a node.
struct('test.Numbered', { a: f(1, string()) });
// @ts-expect-error the number is missing
f(string());
// @ts-expect-error a node is no field
struct('test.Unnumbered', { a: string() });
// @ts-expect-error a kind has fields, too
kind('test.Kind', { metadata: Part });

// A check looks at values of the type; it may see what was there before, and find several problems.
string().check((value, old) => (value.length > (old?.length ?? 0) ? undefined : { reason: 'r', message: 'm' }));
int32().check((value) => [{ reason: 'r', message: `${value + 1}` }]);
// @ts-expect-error a number has no characters
int32().check((value) => (value.length > 0 ? undefined : { reason: 'r', message: 'm' }));
// @ts-expect-error a problem says what it is about
string().check(() => ({ reason: 'r' }));

// What values look like follows from presence.
const Whole = struct('test.Whole', {
  implicit: f(1, string()),
  always: f(2, string().always()),
  optional: f(3, bool().optional()),
  nullable: f(4, bool().optional().always()),
  explicit: f(5, bool().explicit()),
  when: f(6, time()),
  any: f(7, anything()),
  open: f(8, open()),
});
type Whole = Infer<typeof Whole>;
same<Whole['implicit'], string | undefined>(true);
same<Whole['always'], string>(true);
same<Whole['optional'], boolean | undefined>(true);
same<Whole['nullable'], boolean | null>(true);
same<Whole['explicit'], boolean | null | undefined>(true);
same<Whole['when'], string | null>(true);
same<Whole['open'], unknown>(true);
declare const whole: Whole;
// @ts-expect-error a value is never changed in place
whole.always = 'x';
