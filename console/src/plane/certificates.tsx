import { lookUp } from '../api/explaining.ts';
import { listAt, textAt } from '../api/json.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { clock, spanText } from '../state/clock.ts';

const SOON_SECONDS = 30 * 86_400;

/** Certificates that the server works with, those that end first coming first. */
export function Certificates() {
  const answer = useAnswer((signal) => lookUp('planefigures', 'certificates', signal), []);
  if (answer.error) return <Notice title="Certificates cannot be told" error={answer.error} />;
  return (
    <>
      <section class="card lone">
        <table class="plain">
          <thead>
            <tr>
              <th>For</th>
              <th>Subject</th>
              <th>Issuer</th>
              <th>Ends</th>
            </tr>
          </thead>
          <tbody>
            {listAt(answer.value ?? null, 'certificates').map((one) => {
              const left = (Date.parse(textAt(one, 'notAfter')) - clock.value) / 1000;
              const mood = left < 0 ? 'bad' : left < SOON_SECONDS ? 'careful' : 'good';
              return (
                <tr key={textAt(one, 'use') + textAt(one, 'subject') + textAt(one, 'notAfter')}>
                  <td>{textAt(one, 'use')}</td>
                  <td>{textAt(one, 'subject')}</td>
                  <td>{textAt(one, 'issuer')}</td>
                  <td title={textAt(one, 'notAfter')}>
                    <span class={`state ${mood}`}>{left < 0 ? 'over' : `in ${spanText(left)}`}</span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <CommandLine line="platformctl get planefigures certificates --output=json" />
    </>
  );
}
