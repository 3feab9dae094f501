import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../api/request.ts';
import { exchangeCode, whoIs } from '../state/log-in.ts';
import { farewell, type Session, session } from '../state/session.ts';

/** Where the code stands in the address that a server prints. */
const CODE = /^#login=([\w-]{20,100})$/;

/** The code of the address, which is taken out of it at once: it must not stay in the history. */
function takeCode(): string | undefined {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', '/console#/');
  return code;
}

const code = takeCode();

function enter(found: Session): void {
  farewell.value = '';
  session.value = found;
}

export function Login() {
  const certificate = useSignal<Session | undefined>(undefined);
  const problem = useSignal(farewell.value);
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    if (code !== undefined && farewell.value === '') void attempt(async () => whoIs(await exchangeCode(code)));
    whoIs(undefined).then(
      (found) => {
        certificate.value = found;
      },
      () => {
        // Nobody is named by the connection: there is only the token.
        certificate.value = undefined;
      },
    );
  }, []);
  const attempt = async (ask: () => Promise<Session | undefined>): Promise<void> => {
    isBusy.value = true;
    problem.value = '';
    try {
      const found = await ask();
      if (found) enter(found);
      else problem.value = 'The server does not know this token.';
    } catch (error) {
      problem.value = messageOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '' || !/^[\x21-\x7e]+$/.test(token)) {
      problem.value = 'A token is one word of plain characters.';
      return;
    }
    void attempt(() => whoIs(token));
  };
  const { value: known } = certificate;
  return (
    <main class="login">
      <form onSubmit={submit}>
        <Mark />
        <h1>Log in</h1>
        <p class="quiet">Everything here is done with your own rights.</p>
        {known && (
          <button type="button" class="primary wide" onClick={() => enter(known)}>
            Continue as {known.user}
          </button>
        )}
        {known && <p class="or">or</p>}
        <label for="token">Bearer token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="token-note"
        />
        <p id="token-note" class="quiet small">
          Kept in the memory of this page alone: it is gone when the page is closed or loaded anew.
        </p>
        {problem.value !== '' && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class={known ? 'wide' : 'primary wide'} disabled={isBusy.value}>
          Log in with the token
        </button>
      </form>
    </main>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="ground" />
      <path d="M8 20.500 16 25l8-4.500M8 16l8 4.500L24 16M16 7l-8 4.500 8 4.500 8-4.500z" />
    </svg>
  );
}
