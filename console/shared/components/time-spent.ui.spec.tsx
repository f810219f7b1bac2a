import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TimeSpent } from './time-spent.tsx';

afterEach(cleanup);

test('a task of up to 60 seconds is green, a longer one red', () => {
  const toneOf = (seconds: number) => {
    render(<TimeSpent seconds={seconds} text={`${seconds} s`} />);
    return screen.getByText(`${seconds} s`).closest('.tone')?.className;
  };
  expect(toneOf(0)).toContain('tone-green');
  expect(toneOf(60)).toContain('tone-green');
  expect(toneOf(60.1)).toContain('tone-red');
});
