import { useSignal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export const ROW_PIXELS = 34;
const AROUND = 12;
const STEP = 6;

interface Props {
  readonly count: number;
  /** The row that must be seen. */
  readonly cursor: number;
  readonly label: string;
  readonly columns: number;
  readonly head: ComponentChildren;
  readonly row: (at: number) => ComponentChildren;
}

/** A table of any number of rows of one height, of which only those that can be seen are there. */
export function VirtualRows({ count, cursor, label, columns, head, row }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [height]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || cursor < 0) return;
    const [from, to] = [cursor * ROW_PIXELS, (cursor + 2) * ROW_PIXELS];
    if (from < element.scrollTop) element.scrollTop = from;
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
  }, [cursor]);
  // In steps, so that most scrolling changes nothing but where the rows stand.
  const first = Math.max(0, Math.floor((top.value / ROW_PIXELS - AROUND) / STEP) * STEP);
  const last = Math.min(count, Math.ceil((top.value + height.value) / ROW_PIXELS) + AROUND + STEP);
  const seen = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  return (
    <div
      class="rows"
      ref={scroller}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns}
      tabIndex={0}
    >
      <div role="rowgroup" class="rows-head">
        {head}
      </div>
      <div role="rowgroup" class="rows-body" style={{ height: `${count * ROW_PIXELS}px` }}>
        <div class="rows-window" style={{ transform: `translateY(${first * ROW_PIXELS}px)` }}>
          {seen.map((at, i) => (
            // By their place on the screen: rows that go are filled with those that come.
            <Fragment key={i}>{row(at)}</Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}
