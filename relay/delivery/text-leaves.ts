import type { JsonObject } from '../protocol/canonical.ts';
import { isObject } from '../protocol/json.ts';

/** A text of a model, where an answer or event holds it. */
export type TextLeaf = Readonly<{
  owner: JsonObject | unknown[];
  member: string | number;
  /** The same for the pieces of one text, which arrive in several events. */
  track: string;
  text: string;
}>;

/** Members with text of a model, in any protocol. */
const texts: ReadonlySet<string> = new Set([
  ...['content', 'text', 'reasoning_content', 'reasoning', 'thinking', 'refusal', 'response'],
  ...['arguments', 'partial_json', 'delta', 'transcript', 'revised_prompt', 'tool_plan', 'code'],
]);
/** Arguments of tools that are no text: every string in them counts. */
const trees: ReadonlySet<string> = new Set(['input', 'args', 'arguments']);
/** What identifies the text that an event continues. */
const places = ['index', 'item_id', 'output_index', 'content_index', 'summary_index'] as const;

const maxDepth = 32;

const placeOf = (owner: JsonObject): string => {
  let place = '';
  for (const name of places) if (owner[name] !== undefined) place += `#${String(owner[name])}`;
  return place;
};

/** Pieces of sound are no text, although their members have the same names. */
const isSound = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && type.includes('audio') && !type.includes('transcript');

type Place = Readonly<{ track: string; isText: boolean; isTree: boolean; depth: number }>;
type Slot = Pick<TextLeaf, 'owner' | 'member'>;

class LeafReader {
  readonly leaves: TextLeaf[] = [];

  object(owner: JsonObject, { track, isTree, depth }: Place): void {
    const here = track + placeOf(owner);
    for (const member of Object.keys(owner)) {
      const isInTree = isTree || trees.has(member);
      this.value(
        { owner, member },
        {
          track: `${here}.${member}`,
          isText: isInTree || texts.has(member),
          isTree: isInTree,
          depth: depth + 1,
        },
      );
    }
  }

  private value(slot: Slot, at: Place): void {
    const value: unknown = Reflect.get(slot.owner, slot.member);
    if (typeof value === 'string') {
      if (at.isText && value !== '') this.leaves.push({ ...slot, track: at.track, text: value });
    } else if (at.depth > maxDepth) return;
    else if (Array.isArray(value)) this.list(value, { ...at, depth: at.depth + 1 });
    else if (isObject(value)) this.object(value, at);
  }

  private list(owner: unknown[], at: Place): void {
    for (let member = 0; member < owner.length; member += 1) this.value({ owner, member }, at);
  }
}

/** The texts of an answer, an event or a chunk, in any protocol. */
export const textLeaves = (value: unknown): readonly TextLeaf[] => {
  const reader = new LeafReader();
  const top = { track: '', isText: false, isTree: false, depth: 0 };
  if (isObject(value) && !isSound(value)) reader.object(value, top);
  return reader.leaves;
};

export const writeLeaf = ({ owner, member }: TextLeaf, text: string): void => {
  Object.assign(owner, { [member]: text });
};
