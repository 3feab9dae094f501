import type { ComponentChildren } from 'preact';
import { Refusal } from '../api/request.ts';
import { linkTo } from '../state/route.ts';

interface Props {
  readonly title: string;
  readonly error?: Error | undefined;
  readonly children?: ComponentChildren;
}

/** Something that a person should know, with what the server says of it. */
export function Notice({ title, error, children }: Props) {
  return (
    <div class="notice" role="alert">
      <strong>{title}</strong>
      {error && <p>{error.message}</p>}
      {children && <p>{children}</p>}
      {error instanceof Refusal && error.causes.length > 1 && (
        <ul>
          {error.causes.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {error instanceof Refusal && error.denialId !== '' && (
        <p>
          <a href={linkTo(['access', 'why'], { id: error.denialId })}>Why was this denied?</a>
        </p>
      )}
    </div>
  );
}
