import { describe, expect, test } from 'vitest';
import { notOpened, overlays } from '../support/overlays/registry.ts';
import { consoleSources, overlayUses } from '../support/overlays/uses.ts';

const uses = overlayUses(consoleSources());
const opened = new Set(overlays.flatMap(({ of }) => of));

describe('what opens over a page', () => {
  test('is found wherever the console renders it, behind a shared component as well', () => {
    expect(uses).toContain('app/shell/user-menu PopoverNext');
    expect(uses).toContain('features/token/components/expiry-field InstantField');
    expect(uses).toContain('features/usage-log/screens/log detail');
    const planted = new Map([
      ['shared/components/probe.tsx', 'export const Probe = () => <Popover>x</Popover>;'],
      ['features/probe/screens/probe.tsx', 'export const A = () => <Probe>x</Probe>;'],
    ]);
    expect(overlayUses(planted)).toEqual(['features/probe/screens/probe Probe']);
  });

  test('is opened by the browser tests, or it is written down why not', () => {
    const forgotten = uses.filter((use) => !opened.has(use) && !(use in notOpened));
    expect(forgotten).toEqual([]);
  });

  test('is listed only where there is such a thing', () => {
    expect([...opened, ...Object.keys(notOpened)].filter((use) => !uses.includes(use))).toEqual([]);
    expect(Object.keys(notOpened).filter((use) => opened.has(use))).toEqual([]);
    expect(new Set(overlays.map(({ name }) => name)).size).toBe(overlays.length);
  });
});
