import { expect, test } from 'vitest';
import { siteApi } from '../contract/status.ts';
import { publicStatusOf } from './status.ts';

const status = publicStatusOf(
  { values: new Map(), secretsSet: new Set() },
  { version: '1', startTime: 1, setup: true },
);

test('the public status has every field of its contract, whatever was set', () => {
  expect(siteApi['GET /api/status'].data.strict().parse(status)).toEqual(status);
});

test('the public status carries the bonus tiers, so that pages need no copy of them', () => {
  expect(status.topup_bonus_tiers.map(({ dollars, percent }) => [dollars, percent])).toEqual([
    [1, 5],
    [3, 8],
    [7, 12],
    [15, 18],
    [35, 22],
    [70, 26],
    [140, 34],
    [280, 40],
  ]);
});
