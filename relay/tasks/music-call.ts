import type { JsonObject } from '../protocol/canonical.ts';
import { parseObject, textAt, without } from '../protocol/json.ts';
import { type MusicRefusal, musicRefusal } from './music-error.ts';

export type MusicCall = Readonly<{
  action: 'MUSIC' | 'LYRICS';
  model: string;
  /** The song that is continued; null for a new one. */
  originId: string | null;
  prompt: string;
  /** As it goes up. */
  body: JsonObject;
}>;

const optional = [
  'gpt_description_prompt',
  'prompt',
  'mv',
  'title',
  'tags',
  'continue_at',
  'task_id',
  'continue_clip_id',
];
const defaultVersion = 'chirp-v3-0';

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0;

/** The caller's own object without its empty members, and with what providers always require. */
const bodyOf = (given: JsonObject, action: MusicCall['action']): JsonObject => {
  const body: JsonObject = without(
    given,
    optional.filter((name) => isEmpty(given[name])),
  );
  if (action === 'MUSIC' && isEmpty(given.mv)) body.mv = defaultVersion;
  return { ...body, make_instrumental: given.make_instrumental === true };
};

export const readMusicCall = (word: string, raw: Buffer): MusicCall | MusicRefusal => {
  const action = word.toUpperCase();
  if (action !== 'MUSIC' && action !== 'LYRICS') {
    return musicRefusal(400, 'invalid_request', 'invalid_action');
  }
  const given = parseObject(raw.toString('utf8'));
  if (given === null) return musicRefusal(400, 'invalid_request', 'The body is no JSON object');
  const prompt = textAt(given, 'prompt');
  if (action === 'LYRICS' && prompt === '') {
    return musicRefusal(400, 'invalid_request', 'prompt_empty');
  }
  const continues = textAt(given, 'continue_clip_id') !== '';
  const originId = textAt(given, 'task_id');
  if (continues && originId === '') {
    return musicRefusal(400, 'invalid_request', 'task id is empty');
  }
  return {
    action,
    model: `suno_${action.toLowerCase()}`,
    originId: continues ? originId : null,
    prompt: prompt || textAt(given, 'gpt_description_prompt'),
    body: bodyOf(given, action),
  };
};
