import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Donut, Sparkline, TimeChart, type TimeChartProps } from './charts.tsx';

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(cleanup);

const pathsIn = (element: Element) =>
  [...element.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '');
/** Pieces of a line between its gaps. */
const piecesOf = (path: string | undefined) => path?.split('M').slice(1) ?? [];

const aChart: TimeChartProps = {
  label: 'Errors',
  height: 160,
  rows: [0, 5, null, 3].map((value, nth) => ({ at: nth * 60, values: [value] })),
  series: [{ name: 'main', colour: 'red' }],
  tickText: String,
  valueText: String,
  titleOf: String,
  labelOf: (at) => `${at} s`,
};
const client = new QueryClient();
const wrapper = ({ children }: Readonly<{ children: ReactNode }>) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
const draw = async (props: Partial<TimeChartProps>) => {
  render(<TimeChart {...aChart} {...props} />, { wrapper });
  const chart = screen.getByRole('img', { name: 'Errors' });
  await waitFor(() => expect(chart.querySelector('svg')).not.toBeNull());
  return chart;
};

test('a line is drawn from zero, and what was not measured is a gap', async () => {
  const chart = await draw({});
  expect(pathsIn(chart).flatMap(piecesOf)).toHaveLength(2);
  expect(chart.textContent).toContain('0 s');
  for (const tick of ['0', '2.5', '5']) expect(chart.textContent).toContain(tick);
});

test('moments that are further apart than they should be are not joined', async () => {
  const rows = [0, 60, 300].map((at) => ({ at, values: [1] }));
  const chart = await draw({ rows, maxGap: 90 });
  expect(pathsIn(chart).flatMap(piecesOf)).toHaveLength(2);
});

test('a step keeps its value until the next one', async () => {
  const rows = [5, 2].map((value, nth) => ({ at: nth, values: [value] }));
  const [path = ''] = pathsIn(await draw({ rows, isStep: true }));
  const [first, second, third] = [...path.matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => ({
    x,
    y,
  }));
  expect([second?.y, third?.x]).toEqual([first?.y, second?.x]);
  expect(third?.y).not.toBe(second?.y);
});

test('bars of one moment are upon each other', async () => {
  const chart = await draw({
    isStacked: true,
    rows: [{ at: 0, values: [3, 1] }],
    series: ['a', 'b'].map((name) => ({ name, colour: name })),
  });
  const tops = pathsIn(chart).map((path) => Number(path.match(/M *[\d.]+,([\d.]+)/)?.[1]));
  expect(tops).toHaveLength(2);
  expect(tops[1]).toBeLessThan(tops[0] ?? 0);
});

test('fewer than two values are no line', async () => {
  const { container, rerender } = render(<Sparkline height={28} values={[1, null, 2]} />, {
    wrapper,
  });
  await waitFor(() => expect(container.querySelector('svg')).not.toBeNull());
  expect(pathsIn(container).flatMap(piecesOf)).toHaveLength(2);
  for (const values of [[], [null], [null, 3, null]]) {
    rerender(<Sparkline height={28} values={values} />);
    expect(pathsIn(container)).toEqual([]);
  }
});

test('a donut writes the whole in its middle', async () => {
  const slices = [
    { name: 'a', colour: 'red', value: 3 },
    { name: 'b', colour: 'blue', value: 1 },
  ];
  render(
    <Donut
      label="Calls"
      height={160}
      total="4"
      totalName="calls"
      valueText={String}
      {...{ slices }}
    />,
    { wrapper },
  );
  const chart = screen.getByRole('img', { name: 'Calls' });
  await waitFor(() => expect(pathsIn(chart)).toHaveLength(2));
  expect(chart.textContent).toBe('4calls');
});
