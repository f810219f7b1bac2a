import { isRecord } from '../../../shared/local-values.ts';
import type { AuditChange } from '../api/audit.ts';
import { isAbsent, readable } from './shown-value.ts';

export type DiffLine = Readonly<{ sign: '-' | '+' | ''; text: string; title?: string }>;

/** JSON text is shown as what it holds, one member a line. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

const linesOf = (value: unknown): readonly string[] => {
  const whole = parsed(value);
  if (isAbsent(whole)) return [];
  if (isRecord(whole)) {
    return Object.entries(whole).map(([key, member]) => `${key}: ${readable(member)}`);
  }
  if (Array.isArray(whole)) return whole.map(readable);
  return String(whole).split('\n');
};

/**
 * Removed and added lines. Lines of both sides are left out: of a map with hundreds of ratios only
 * the changed ones are worth reading.
 */
export const diffOf = ({ before, after }: AuditChange): readonly DiffLine[] => {
  const old = linesOf(before);
  const now = linesOf(after);
  const gone = old.filter((text) => !now.includes(text));
  const come = now.filter((text) => !old.includes(text));
  return [
    ...gone.map((text) => ({ sign: '-' as const, text })),
    ...come.map((text) => ({ sign: '+' as const, text })),
  ];
};
