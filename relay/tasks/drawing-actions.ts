/** A step of a drawing: what is priced, and which of four pictures it is about. */
export type Step = Readonly<{ action: string; index: number }>;

/** Free when submitted; the `modal` call that follows is charged. */
export const freeActions: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM']);

export const modelOfAction = (action: string): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`;

type CustomId = Readonly<{ kind: 'step' } & Step> | Readonly<{ kind: 'wrong'; why: string }>;

const step = (action: string, index = 1): CustomId => ({ kind: 'step', action, index });

const plainWords: ReadonlyMap<string, string> = new Map([
  ['low_variation', 'LOW_VARIATION'],
  ['high_variation', 'HIGH_VARIATION'],
  ['Outpaint', 'ZOOM'],
  ['CustomZoom', 'CUSTOM_ZOOM'],
  ['Inpaint', 'INPAINT'],
]);

const indexed = (action: string, text: string | undefined): CustomId => {
  const index = text === undefined || text === '' ? Number.NaN : Number(text);
  if (Number.isInteger(index)) return step(action, index);
  return { kind: 'wrong', why: 'index_parse_failed' };
};

/** `MJ::JOB::upsample::2::hash` and its kin (infra/reference/tasks.md, section 1.3). */
export const readCustomId = (customId: string): CustomId => {
  const parts = customId.split('::');
  const word = parts[1] === 'JOB' ? parts[2] : parts[1];
  if (word === undefined || word === '') return { kind: 'wrong', why: 'unknown_action' };
  if (word.includes('upsample')) return indexed('UPSCALE', parts[3]);
  if (word === 'variation') return indexed('VARIATION', parts[3]);
  const plain = plainWords.get(word);
  if (plain !== undefined) return step(plain);
  if (word.includes('pan')) return step('PAN');
  if (word.includes('reroll')) return step('REROLL');
  return { kind: 'wrong', why: `unknown_action:${customId.slice(0, 256)}` };
};

const simple = /^(\S+)\s+([uv])([1-4])$|^(\S+)\s+r$/i;

/** `<task> U1`: null when it reads otherwise. */
export const readSimpleChange = (content: string): Readonly<{ taskId: string } & Step> | null => {
  const [whole, taskId, letter, digit, rerolled] = simple.exec(content.trim()) ?? [];
  if (whole === undefined) return null;
  if (rerolled !== undefined) return { taskId: rerolled, action: 'REROLL', index: 1 };
  const action = letter?.toLowerCase() === 'u' ? 'UPSCALE' : 'VARIATION';
  return { taskId: taskId ?? '', action, index: Number(digit) };
};
