type Release = Readonly<{ title: string; subjects: readonly string[] }>;
type Entry = Readonly<{ kind: string; scope: string; text: string; isBreaking: boolean }>;

/** What an operator or an API client notices; the rest of the history is in git. */
const kinds = [
  ['feat', 'Added'],
  ['fix', 'Fixed'],
  ['perf', 'Faster'],
] as const;

const entryOf = (subject: string): Entry => {
  const [, kind = '', scope = '', mark = '', text = ''] =
    /^([a-z]+)(?:\(([^)]*)\))?(!?): (.*)$/.exec(subject) ?? [];
  return { kind, scope, text, isBreaking: mark === '!' };
};

const lineOf = ({ scope, text }: Entry): string =>
  scope === '' ? `- ${text}` : `- **${scope}**: ${text}`;

const part = (title: string, entries: readonly Entry[]): readonly string[] => {
  const lines = entries.map(lineOf).sort();
  return lines.length === 0 ? [] : [`### ${title}`, '', ...lines, ''];
};

const releaseLines = ({ title, subjects }: Release): readonly string[] => {
  const entries = subjects.map(entryOf);
  const lines = [
    ...part(
      'Breaking',
      entries.filter(({ isBreaking }) => isBreaking),
    ),
    ...kinds.flatMap(([kind, heading]) =>
      part(
        heading,
        entries.filter((entry) => entry.kind === kind && !entry.isBreaking),
      ),
    ),
  ];
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
};

/** The newest release first; releases in which nothing is to be noticed are left out. */
export const changelogOf = (releases: readonly Release[]): string =>
  [
    '# Changelog',
    '',
    'Written by `npm run changelog` from commit subjects; mend a subject, not this page.',
    '',
    ...releases.flatMap(releaseLines),
  ].join('\n');
