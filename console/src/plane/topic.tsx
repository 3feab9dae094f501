import { useEffect, useState } from 'preact/hooks';
import { lookUp } from '../api/explaining.ts';
import { type Json, listAt, numberAt, textAt, textsAt } from '../api/json.ts';
import { isAborted, messageOf } from '../api/request.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { Plot, type PlotSeries } from './plot.tsx';

/** As often as the server takes figures. */
const AGAIN_MS = 10_000;
/** More lines nobody can tell apart. */
const MOST_LINES = 6;

interface Chart {
  readonly figure: string;
  readonly unit: string;
  readonly series: readonly PlotSeries[];
}

const FIGURES: Readonly<Record<string, string>> = {
  rate: 'how many',
  errors: 'errors of the server',
  refusals: 'refusals',
  mean: 'time, mean',
  p50: 'time, half are quicker',
  p99: 'time, 99 of 100 are quicker',
};

/** The figures of one topic as plots. */
export function Topic({ topic }: { topic: string }) {
  const [figures, setFigures] = useState<Json>(null);
  const [problem, setProblem] = useState<Error | undefined>(undefined);
  useEffect(() => {
    const asked = new AbortController();
    const read = (): void => {
      lookUp('planefigures', topic, asked.signal).then(setFigures, (error: unknown) => {
        if (!isAborted(error)) setProblem(error instanceof Error ? error : new Error(messageOf(error)));
      });
    };
    read();
    const timer = setInterval(read, AGAIN_MS);
    return () => {
      clearInterval(timer);
      asked.abort();
    };
  }, [topic]);
  if (problem) return <Notice title="These figures cannot be read" error={problem} />;
  if (figures === null) return <p class="waiting">Asking…</p>;
  const times = listAt(figures, 'times').map(Number);
  return (
    <>
      <div class="plots">
        {chartsIn(figures).map((chart) => (
          <section class="card" key={chart.figure}>
            <h2>
              {FIGURES[chart.figure] ?? chart.figure} <small class="quiet">{chart.unit}</small>
            </h2>
            <Plot times={times} series={chart.series} unit={chart.unit} label={`${topic}, ${chart.figure}`} />
          </section>
        ))}
      </div>
      {times.length === 0 && (
        <p class="nothing">There are no figures yet: the first come some seconds after the start.</p>
      )}
      <CommandLine line={`platformctl get planefigures ${topic} --output=json`} />
    </>
  );
}

/** One chart for each figure. What is of everything comes first. */
function chartsIn(figures: Json): Chart[] {
  const charts = new Map<string, { unit: string; series: PlotSeries[] }>();
  for (const one of listAt(figures, 'series')) {
    const figure = textAt(one, 'figure');
    const chart = charts.get(figure) ?? { unit: textAt(one, 'unit'), series: [] };
    charts.set(figure, chart);
    if (chart.series.length >= MOST_LINES) continue;
    const labels = textsAt(one, 'labels').map(([, value]) => value);
    chart.series.push({
      name: labels.filter(Boolean).join(' ') || 'all',
      values: listAt(one, 'values').map((_, i) => numberAt(one, 'values', i) ?? 0),
    });
  }
  return [...charts].map(([figure, { unit, series }]) => ({ figure, unit, series }));
}
