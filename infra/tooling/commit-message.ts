const types = [
  'feat',
  'fix',
  'perf',
  'refactor',
  'test',
  'docs',
  'build',
  'ci',
  'style',
  'chore',
  'revert',
];
const scopes = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra', 'tests'];
const maxSubject = 72;
/** A change of the product states why; the rest is often self-explanatory. */
const wantsBody = new Set(['feat', 'fix', 'perf', 'refactor']);
/** Made by git itself, or gone before the branch is merged. */
const isExempt = /^(Merge |Revert "|fixup! |squash! |amend! )/;
const shape = /^([a-z]+)(?:\(([^)]*)\))?(!?): (.*)$/;

const subjectProblems = (subject: string): readonly string[] => {
  const [, type = '', scope, , text = ''] = shape.exec(subject) ?? [];
  if (type === '') return ['the subject is not `type(scope): what changes`'];
  return [
    ...(types.includes(type) ? [] : [`type "${type}" is none of ${types.join(', ')}`]),
    ...(scope === undefined || scopes.includes(scope)
      ? []
      : [`scope "${scope}" is none of ${scopes.join(', ')}; leave it out for several rooms`]),
    ...(subject.length > maxSubject ? [`the subject has more than ${maxSubject} characters`] : []),
    ...(text.endsWith('.') ? ['the subject ends with a full stop'] : []),
  ];
};

/** What is wrong with a commit message, line by line; nothing when it is right. */
export const commitMessageProblems = (message: string): readonly string[] => {
  // `git commit --verbose` shows the change below this line.
  const [written = ''] = message.split(/^# -+ >8 -+$/m);
  const lines = written.split('\n').filter((line) => !line.startsWith('#'));
  const [subject = '', second = '', ...body] = lines;
  if (isExempt.test(subject)) return [];
  const type = /^[a-z]*/.exec(subject)?.[0] ?? '';
  const hasBody = body.some((line) => line.trim() !== '');
  return [
    ...subjectProblems(subject),
    ...(second === '' ? [] : ['the second line is not empty']),
    ...(wantsBody.has(type) && !hasBody
      ? ['the body has neither the reason nor what was checked']
      : []),
  ];
};
