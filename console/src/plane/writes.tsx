import type { ComponentChildren } from 'preact';
import { lookUp } from '../api/explaining.ts';
import { type Json, listAt, textAt } from '../api/json.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { groupSegment } from '../state/catalogue.ts';
import { ageOf, clock } from '../state/clock.ts';

/** Who writes most, what is written most, and which fields are fought over. */
export function Writes() {
  const answer = useAnswer((signal) => lookUp('writeactivities', 'recent', signal), []);
  if (answer.error) return <Notice title="Writes cannot be told" error={answer.error} />;
  if (!answer.value) return <p class="nothing">Asking the server</p>;
  const { status = null } = answer.value;
  const fights = listAt(status, 'fights');
  return (
    <>
      <div class="rankings" tabIndex={0} role="region" aria-label="Writes">
        <p class="quiet">
          {textAt(status, 'writes')} writes in {ageOf(textAt(status, 'since'), clock.value)}; {textAt(status, 'noOps')}{' '}
          of them changed nothing.
        </p>
        <Ranking
          title="What is fought over"
          heads={['Field', 'Object', 'Namespace', 'By', 'Changes']}
          rows={fights.map((one) => [
            <code key="path">{textAt(one, 'path')}</code>,
            <ObjectLink key="link" one={one} />,
            textAt(one, 'namespace'),
            listAt(one, 'managers').join(', '),
            textAt(one, 'changes'),
          ])}
          empty="No field is changed by several managers in turn."
        />
        <Ranking
          title="What is written"
          heads={['Object', 'Namespace', 'Writes', 'No-ops', 'Changes of hand']}
          rows={listAt(status, 'objects').map((one) => [
            <ObjectLink key="link" one={one} />,
            textAt(one, 'namespace'),
            textAt(one, 'writes'),
            textAt(one, 'noOps'),
            textAt(one, 'alternations'),
          ])}
          empty="Nothing was written."
        />
        <Ranking
          title="Who writes"
          heads={['User', 'As', 'What', 'Writes', 'No-ops']}
          rows={listAt(status, 'writers').map((one) => [
            textAt(one, 'user'),
            textAt(one, 'manager'),
            resourceOf(one),
            textAt(one, 'writes'),
            textAt(one, 'noOps'),
          ])}
          empty="Nobody wrote anything."
        />
      </div>
      <CommandLine line="platformctl hot" />
    </>
  );
}

const resourceOf = (one: Json): string => [textAt(one, 'resource'), textAt(one, 'group')].filter(Boolean).join('.');

function ObjectLink({ one }: { one: Json }) {
  const parts = [groupSegment(textAt(one, 'group')), textAt(one, 'resource'), textAt(one, 'namespace') || '-'];
  const path = ['objects', ...parts, textAt(one, 'name')].map(encodeURIComponent).join('/');
  return (
    <a href={`#/${path}`}>
      {resourceOf(one)}/{textAt(one, 'name')}
    </a>
  );
}

interface RankingProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly empty: string;
}

function Ranking({ title, heads, rows, empty }: RankingProps) {
  return (
    <section class="card lone">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="nothing">{empty}</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {cells.map((cell, i) => (
                  <td key={heads[i]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
