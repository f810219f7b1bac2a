import { type PointerEvent, useState } from 'react';
import { formatSeconds } from '../format/time.ts';
import { useWidth } from '../hooks/use-width.ts';
import { type LinePoint, nearest, pathOf, piecesOf, ticksFromZero } from './line-scale.ts';

type Line = Readonly<{
  name: string;
  colour: string;
  points: readonly LinePoint[];
  /** Of a point, next to its value. */
  note?: (at: number) => string;
}>;

type Props = Readonly<{
  /** What the chart is of, for those who do not see it. */
  label: string;
  lines: readonly Line[];
  format: (value: number) => string;
  height?: number;
  /** Of the axis; from zero where it is absent. */
  ticks?: readonly number[];
  isStep?: boolean;
  /** Seconds: points that are further apart are not joined. */
  maxGap?: number;
  /** What a point is called whose `at` is no time; the axis then has no times. */
  nameOf?: (at: number) => string;
}>;

const margin = { top: 8, right: 8, bottom: 20 };
/** Pixels of a character of the axis. */
const charWidth = 6.5;
const defaultHeight = 160;
/** Until the width is measured. */
const defaultWidth = 600;
/** Pixels between two times below. */
const timeSpace = 110;
/** Seconds: the time of the day matters up to here. */
const shownTimes = 10 * 86_400;
const daySeconds = 86_400;

const momentsOf = (lines: readonly Line[]): readonly LinePoint[] => {
  const moments = new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)));
  return [...moments].sort((a, b) => a - b).map((at) => ({ at, value: null }));
};

/** Values at a moment, the highest first. */
const valuesAt = (lines: readonly Line[], at: number) =>
  lines
    .flatMap((line) => {
      const value = line.points.find((point) => point.at === at)?.value ?? null;
      return value === null ? [] : [{ ...line, value }];
    })
    .sort((a, b) => b.value - a.value);

type TipProps = Pick<Props, 'lines' | 'format' | 'nameOf'> & Readonly<{ at: number }>;

const Tip = ({ lines, at, format, nameOf }: TipProps) => (
  <div className="chart-tip">
    <strong>{nameOf?.(at) ?? formatSeconds(at).slice(0, 16)}</strong>
    <dl>
      {valuesAt(lines, at).map(({ name, colour, value, note }) => (
        <div key={name}>
          <dt>
            {lines.length > 1 && <i style={{ background: colour }} />}
            {name}
          </dt>
          <dd>
            {format(value)} {note?.(at)}
          </dd>
        </div>
      ))}
    </dl>
  </div>
);

/** Layout of the chart, in pixels. */
const layOut = ({ lines, format, height = defaultHeight, ticks }: Props, width: number) => {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const marks = ticks ?? ticksFromZero(Math.max(0, ...values));
  const [low, high] = [Math.min(...marks), Math.max(...marks)];
  const left = Math.max(...marks.map((mark) => format(mark).length)) * charWidth + 10;
  const moments = momentsOf(lines);
  const from = moments[0]?.at ?? 0;
  const to = moments.at(-1)?.at ?? from;
  const inner = width - left - margin.right;
  const depth = height - margin.top - margin.bottom;
  return {
    ...{ height, left, marks, moments, from, to },
    x: (at: number) => left + (to === from ? 0.5 : (at - from) / (to - from)) * inner,
    y: (value: number) => margin.top + (1 - (value - low) / (high - low || 1)) * depth,
    atOf: (x: number) => from + ((x - left) / inner) * (to - from),
  };
};

const formOf = (seconds: number) => {
  if (seconds <= daySeconds) return [11, 16] as const;
  return seconds <= shownTimes ? ([5, 16] as const) : ([5, 10] as const);
};

/** Moments of the data, as evenly spread as possible. */
const timesOf = ({ from, to, moments }: ReturnType<typeof layOut>, width: number) => {
  const count = Math.max(2, Math.floor(width / timeSpace));
  const places = Array.from({ length: count }, (_, nth) =>
    nearest(moments, from + ((to - from) * nth) / (count - 1)),
  );
  return [...new Set(places)].map((place) => {
    const at = moments[place]?.at ?? from;
    return { at, text: formatSeconds(at).slice(...formOf(to - from)) };
  });
};

/** Lines over time. Drawn here, as the chart library would weigh more than most screens. */
export const LineChart = (props: Props) => {
  const { label, lines, isStep = false, maxGap, nameOf, format } = props;
  const [measured, ref] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const width = measured || defaultWidth;
  const laidOut = layOut(props, width);
  const { height, left, marks, moments, from, to, x, y, atOf } = laidOut;
  const at = shown === null ? undefined : moments[shown]?.at;
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left: edge } = event.currentTarget.getBoundingClientRect();
    setShown(nearest(moments, atOf(event.clientX - edge)));
  };
  const times = to === from || nameOf ? [] : timesOf(laidOut, width - left);
  return (
    <div ref={ref} className="line-chart">
      <svg
        role="img"
        aria-label={label}
        width="100%"
        height={height}
        onPointerMove={follow}
        onPointerLeave={() => setShown(null)}
      >
        {marks.map((mark) => (
          <g key={mark}>
            <line
              className="line-grid"
              x1={left}
              x2={width - margin.right}
              y1={y(mark)}
              y2={y(mark)}
            />
            <text x={left - 8} y={y(mark)} textAnchor="end" dominantBaseline="middle">
              {format(mark)}
            </text>
          </g>
        ))}
        {times.map(({ at: moment, text }, nth) => (
          <text
            key={moment}
            x={x(moment)}
            y={height - 4}
            textAnchor={nth === 0 ? 'start' : nth === times.length - 1 ? 'end' : 'middle'}
          >
            {text}
          </text>
        ))}
        {lines.map(({ name, colour, points }) =>
          piecesOf(points, { x, y }, maxGap).map((piece) => (
            <path
              key={`${name}-${piece[0]?.x}`}
              className={piece.length === 1 ? 'line is-dot' : 'line'}
              d={pathOf(piece, isStep)}
              stroke={colour}
            />
          )),
        )}
        {at !== undefined && (
          <line className="line-cursor" x1={x(at)} x2={x(at)} y1={margin.top} y2={height - 20} />
        )}
      </svg>
      {at !== undefined && (
        <div
          className={x(at) > width / 2 ? 'line-tip is-left' : 'line-tip'}
          style={{ left: x(at) }}
        >
          <Tip lines={lines} at={at} format={format} {...(nameOf && { nameOf })} />
        </div>
      )}
    </div>
  );
};
