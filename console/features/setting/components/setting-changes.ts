import type { OptionChange, OptionRules } from '../api/options.ts';

type Drafts = Readonly<Partial<Record<string, string>>>;

/** Encryption that is switched on sends a secret nowhere else. */
const isRedirecting = ({ key, value }: OptionChange): boolean =>
  key !== 'SMTPSSLEnabled' || value !== 'true';

/** The stored secret that is sent to the target of this option; null: there is none. */
const secretBehind = (change: OptionChange, rules: OptionRules): string | null =>
  isRedirecting(change) ? (rules.get(change.key)?.secret ?? null) : null;

/**
 * Stored secrets that these changes would send somewhere else: they are required again. Where a
 * target was emptied, nothing is sent any more and the server clears the secret.
 */
export const secretsToEnter = (
  changes: readonly OptionChange[],
  rules: OptionRules,
  drafts: Drafts,
): readonly string[] => {
  const wanted = new Set<string>();
  const emptied = new Set<string>();
  for (const change of changes) {
    const secret = secretBehind(change, rules);
    if (secret === null) continue;
    (change.value === '' ? emptied : wanted).add(secret);
  }
  return [...wanted].filter((secret) => !emptied.has(secret) && !drafts[secret]?.trim());
};

/** Each change with the secret that belongs to it, and the reason for all of them. */
export const withSecrets = (
  changes: readonly OptionChange[],
  rules: OptionRules,
  reason: string,
): readonly OptionChange[] => {
  const typed = new Map(changes.map(({ key, value }) => [key, value]));
  const sent = new Set<string>();
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  const withOwn = changes.map((change): OptionChange => {
    const secret = secretBehind(change, rules);
    const value = secret === null ? undefined : typed.get(secret);
    if (secret === null || !value) return { ...change, ...why };
    sent.add(secret);
    return { ...change, secret: value, ...why };
  });
  return withOwn.filter(({ key }) => !sent.has(key));
};
