import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../state/theme.ts';

export interface PlotSeries {
  readonly name: string;
  readonly values: readonly number[];
}

const HEIGHT = 170;
const HUES = [172, 28, 262, 210, 340, 95, 48, 300];

interface Props {
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly unit: string;
  readonly label: string;
}

/** Lines over time. A canvas has no styles: colours are taken from the page. */
export function Plot({ times, series, unit, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const names = series.map(({ name }) => name).join('\n');
  const plot = useRef<uPlot | undefined>(undefined);
  const look = theme.value;
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    plot.current = new uPlot(optionsFor(current, series, unit), dataOf(times, series), current);
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: current.clientWidth, height: HEIGHT }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [names, unit, look]);
  useEffect(() => {
    plot.current?.setData(dataOf(times, series));
  }, [times, series]);
  return <div class="plot" ref={place} role="img" aria-label={`${label}: ${summary(series, unit)}`} />;
}

const dataOf = (times: readonly number[], series: readonly PlotSeries[]): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => [...values]),
];

/** The last values in words, for those who do not see the lines. */
const summary = (series: readonly PlotSeries[], unit: string): string =>
  series.map(({ name, values }) => `${name} ${shown(values[values.length - 1] ?? 0, unit)}`).join(', ');

function optionsFor(place: HTMLElement, series: readonly PlotSeries[], unit: string): uPlot.Options {
  const style = getComputedStyle(place);
  const isDark = (luminance(style.color) ?? 0) > 0.5;
  const line = isDark ? '#2d3539' : '#dfe4e2';
  const axis: uPlot.Axis = {
    stroke: isDark ? '#9aa8a6' : '#5a6866',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  const clock = uPlot.fmtDate('{HH}:{mm}:{ss}');
  return {
    width: place.clientWidth || 400,
    height: HEIGHT,
    cursor: { points: { size: 5 }, y: false },
    legend: { live: true },
    axes: [
      { ...axis, space: 80, values: (_, times) => times.map((time) => clock(new Date(time * 1000))) },
      { ...axis, size: 58, values: (_, ticks) => ticks.map((value) => shown(value, unit)) },
    ],
    series: [
      { value: '{HH}:{mm}:{ss}' },
      ...series.map(
        ({ name }, i): uPlot.Series => ({
          label: name,
          stroke: `hsl(${HUES[i % HUES.length]} ${isDark ? '48% 62%' : '56% 36%'})`,
          width: 1.5,
          points: { show: false },
          value: (_, value) => (value === null ? '' : shown(value, unit)),
        }),
      ),
    ],
  };
}

function luminance(colour: string): number | undefined {
  const [red, green, blue] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return (0.3 * red + 0.6 * green + 0.1 * blue) / 255;
}

const STEPS: readonly [number, string][] = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];

/** A value with its unit, as short as it can be told. */
function shown(value: number, unit: string): string {
  if (unit.startsWith('bytes')) {
    const [size, name] = STEPS.find(([least]) => value >= least) ?? [1, 'B'];
    return `${rounded(value / size)} ${name}`;
  }
  if (unit === 'ms' && value >= 1_000) return `${rounded(value / 1_000)} s`;
  return unit === 'ms' ? `${rounded(value)} ms` : rounded(value);
}

const rounded = (value: number): string => (value === 0 ? '0' : value >= 100 ? value.toFixed(0) : value.toPrecision(2));
