import { type Held, IMPOSSIBLE, type Operation } from './linearizability.ts';

/** What can be asked of an object that is used as a register. Marks are unique. */
export type Request =
  | { readonly does: 'get' | 'delete' }
  | { readonly does: 'create' | 'replace'; readonly mark: string }
  /** Replaces what `expected` wrote, and nothing else. */
  | { readonly does: 'compare'; readonly mark: string; readonly expected: string };

export type Answer =
  | { readonly told: 'held'; readonly held: Held }
  | { readonly told: 'refused' }
  /** It was not done, for a reason that has nothing to do with the register. */
  | { readonly told: 'undone' }
  /** With the version that a write has made, or which object a deletion has removed, where that is known. */
  | { readonly told: 'done'; readonly revision?: number; readonly uid?: string };

/** What a client asked of one register, and what it heard of it. Times are on one clock. */
export interface Exchange {
  readonly key: string;
  readonly request: Request;
  readonly called: number;
  /** Undefined when nothing was heard: it may have happened at any time since, or never. */
  readonly answered: { readonly at: number; readonly answer: Answer } | undefined;
}

/** Whether the request does something where the register holds this. */
export function succeeds(request: Request, held: Held): boolean {
  if (request.does === 'create') return held === undefined;
  if (request.does === 'compare') return held === request.expected;
  return held !== undefined;
}

function follow(request: Request, answer: Answer | undefined, held: Held): ReturnType<Operation['follow']> {
  if (answer?.told === 'held') return answer.held === held ? held : IMPOSSIBLE;
  if (answer?.told === 'undone') return held;
  if (answer?.told === 'refused') return succeeds(request, held) ? IMPOSSIBLE : held;
  if (!succeeds(request, held)) return IMPOSSIBLE;
  return 'mark' in request ? request.mark : undefined;
}

/** An operation that was answered, or one of which nothing was heard any more. */
export function operationOf({ request, called, answered }: Omit<Exchange, 'key'>): Operation {
  const { at, answer } = answered ?? {};
  return {
    called,
    ...(at === undefined ? {} : { answered: at }),
    text: `${JSON.stringify(request)} -> ${JSON.stringify(answer ?? 'nothing')}`,
    follow: (held) => follow(request, answer, held),
  };
}
