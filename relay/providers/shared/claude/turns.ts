import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject } from '../../../protocol/json.ts';
import type { MediaLoader } from '../media.ts';
import { contentText } from '../openai-chunks.ts';
import type { ToolNames } from '../tool-names.ts';
import { assistantBlocks, contentBlocks, toolResult } from './blocks.ts';

type Tools = Readonly<{ load: MediaLoader; names: ToolNames }>;
type Turn = { role: 'user' | 'assistant'; content: string | readonly JsonObject[] };

const isInstruction = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

const asBlocks = (content: Turn['content']): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The provider refuses turns without content. */
const filled = (content: Turn['content']): Turn['content'] =>
  content.length === 0 ? '...' : content;

const userContent = async (message: JsonObject, load: MediaLoader): Promise<Turn['content']> =>
  typeof message.content === 'string' ? message.content : contentBlocks(message.content, load);

const assistantContent = async (message: JsonObject, tools: Tools): Promise<Turn['content']> => {
  const blocks = await assistantBlocks(message, tools);
  const isPlain = blocks.length === 1 && blocks[0]?.type === 'text';
  return isPlain && typeof message.content === 'string' ? message.content : blocks;
};

const turnOf = async (message: JsonObject, tools: Tools): Promise<Turn> => {
  const { role } = message;
  if (role === 'tool' || role === 'function') {
    return { role: 'user', content: [await toolResult(message, tools)] };
  }
  if (role === 'assistant') {
    return { role, content: filled(await assistantContent(message, tools)) };
  }
  return { role: 'user', content: filled(await userContent(message, tools.load)) };
};

/** The conversation in turns that alternate and begin with the user. */
export const turnsOf = async (
  messages: readonly JsonObject[],
  tools: Tools,
): Promise<readonly Turn[]> => {
  const conversation = messages.filter((message) => !isInstruction(message));
  const single = await Promise.all(conversation.map((message) => turnOf(message, tools)));
  const turns: Turn[] = [];
  for (const turn of single) {
    const last = turns.at(-1);
    if (last?.role === turn.role)
      last.content = [...asBlocks(last.content), ...asBlocks(turn.content)];
    else turns.push(turn);
  }
  return turns[0]?.role === 'user' ? turns : [{ role: 'user', content: '...' }, ...turns];
};

const isCached = ({ content }: JsonObject): boolean =>
  Array.isArray(content) &&
  content.some((part) => isObject(part) && part.cache_control !== undefined);

/** All instructions in front: one text, or blocks where some are marked for the cache. */
export const systemOf = async (
  messages: readonly JsonObject[],
  { notes, load }: Readonly<{ notes: readonly string[]; load: MediaLoader }>,
): Promise<string | readonly JsonObject[] | undefined> => {
  const instructions = messages.filter(isInstruction);
  if (instructions.some(isCached)) {
    const lists = await Promise.all(
      instructions.map(({ content }) => contentBlocks(content, load)),
    );
    return [...lists.flat(), ...notes.map((text) => ({ type: 'text', text }))];
  }
  const texts = [...instructions.map(({ content }) => contentText(content, '\n')), ...notes];
  const text = texts.filter((own) => own !== '').join('\n');
  return text === '' ? undefined : text;
};
