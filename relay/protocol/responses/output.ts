import type { JsonObject, ResponseTerms } from '../canonical.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { CallItem } from './call-item.ts';
import { addItem, type EventList, endItem, type ItemPlace, type OpenItem } from './events.ts';
import { MessageItem } from './message-item.ts';
import { googleProof } from './reasoning.ts';
import { ReasoningItem } from './reasoning-item.ts';

type Waiting = { id: string; name: string; arguments: string; proof: unknown };
const newCall = (): Waiting => ({ id: '', name: '', arguments: '', proof: undefined });

export type OutputTools = Readonly<{
  events: EventList;
  newId: () => string;
  terms: ResponseTerms;
}>;

/** The items that a chat answer makes, in the order in which they begin. */
export class Output {
  private readonly tools: OutputTools;
  private readonly items: JsonObject[] = [];
  private begun = 0;
  private readonly open = new Map<number, OpenItem>();
  private message: Readonly<{ index: number; item: MessageItem }> | null = null;
  private reasoning: Readonly<{ index: number; item: ReasoningItem }> | null = null;
  private readonly calls = new Map<number, CallItem>();
  /** Calls whose names have not arrived yet. */
  private readonly waiting = new Map<number, Waiting>();
  private textProof: unknown;

  constructor(tools: OutputTools) {
    this.tools = tools;
  }

  /** The content of one delta or message, in its order. */
  add(own: JsonObject, logprobs: readonly JsonObject[]): void {
    this.think(own);
    for (const block of objectsAt(own, 'provider_content')) this.search(block);
    const text = contentOf(own);
    if (text !== '') this.messageItem().say('output_text', text, logprobs);
    for (const annotation of objectsAt(own, 'annotations')) {
      this.messageItem().annotate(annotation);
    }
    const refusal = textAt(own, 'refusal');
    if (refusal !== '') this.messageItem().say('refusal', refusal, []);
    this.textProof = googleProof(own) ?? this.textProof;
    objectsAt(own, 'tool_calls').forEach((call, at) => {
      this.call(numberAt(call, 'index') ?? at, call);
    });
  }

  /** The finished items. `isWhole`: the last one was not cut short. */
  end(isWhole: boolean): readonly JsonObject[] {
    for (const [place, call] of this.waiting) this.beginCall(place, call);
    const last = Math.max(...this.open.keys());
    for (const [index] of this.open) {
      this.closeItem(index, index === last && !isWhole ? 'incomplete' : 'completed');
    }
    this.proveText();
    return this.items;
  }

  /** What was finished so far. */
  get finished(): readonly JsonObject[] {
    return this.items.filter((item) => item !== undefined);
  }

  private proveText(): void {
    if (this.textProof === undefined) return;
    const { index, item } = this.begin('rs', (place) => new ReasoningItem(place));
    item.proveText(this.textProof);
    this.closeItem(index, 'completed');
  }

  private begin<T extends OpenItem>(
    prefix: string,
    make: (place: ItemPlace) => T,
  ): Readonly<{ index: number; item: T }> {
    const index = this.begun;
    this.begun += 1;
    const { events, newId } = this.tools;
    const item = make({ events, index, id: `${prefix}_${newId()}` });
    this.open.set(index, item);
    return { index, item };
  }

  private closeItem(index: number, status: 'completed' | 'incomplete'): void {
    const item = this.open.get(index);
    this.open.delete(index);
    if (item !== undefined) this.items[index] = item.close(status);
    if (this.message?.index === index) this.message = null;
    if (this.reasoning?.index === index) this.reasoning = null;
  }

  private messageItem(): MessageItem {
    if (this.reasoning !== null) this.closeItem(this.reasoning.index, 'completed');
    this.message ??= this.begin('msg', (place) => new MessageItem(place));
    return this.message.item;
  }

  private reasoningItem(): ReasoningItem {
    if (this.message !== null) this.closeItem(this.message.index, 'completed');
    this.reasoning ??= this.begin('rs', (place) => new ReasoningItem(place));
    return this.reasoning.item;
  }

  private think(own: JsonObject): void {
    const text = textAt(own, 'reasoning_content') || textAt(own, 'reasoning');
    if (text !== '') this.reasoningItem().think(text);
    for (const detail of objectsAt(own, 'reasoning_details')) this.reasoningItem().prove(detail);
  }

  /** A search of the provider's own; its other blocks have no item here. */
  private search(block: JsonObject): void {
    if (block.type !== 'server_tool_use' || block.name !== 'web_search') return;
    const { index } = this.begin('ws', (place) => {
      const query = textAt(objectAt(block, 'input'), 'query');
      const call = { id: place.id, type: 'web_search_call', action: { type: 'search', query } };
      addItem(place, { ...call, status: 'in_progress' });
      for (const step of ['in_progress', 'searching', 'completed']) {
        const members = { output_index: place.index, item_id: place.id };
        place.events.emit(`web_search_call.${step}`, members);
      }
      return { close: (status) => endItem(place, { ...call, status }) };
    });
    this.closeItem(index, 'completed');
  }

  private call(place: number, delta: JsonObject): void {
    const own = objectAt(delta, 'function');
    const known = this.calls.get(place);
    if (known !== undefined) {
      known.argue(textAt(own, 'arguments'));
      return;
    }
    const call = this.waiting.get(place) ?? newCall();
    call.id ||= textAt(delta, 'id');
    call.name ||= textAt(own, 'name');
    call.arguments += textAt(own, 'arguments');
    call.proof ??= googleProof(delta);
    this.waiting.set(place, call);
    if (call.name !== '') this.beginCall(place, call);
  }

  private beginCall(at: number, { id, name, arguments: args, proof }: Waiting): void {
    this.waiting.delete(at);
    const { newId, terms } = this.tools;
    const callId = id || `call_${newId()}`;
    if (proof !== undefined) this.reasoningItem().proveCall(callId, proof);
    if (this.reasoning !== null) this.closeItem(this.reasoning.index, 'completed');
    if (this.message !== null) this.closeItem(this.message.index, 'completed');
    const tool = terms.tools.find((own) => own.name === name);
    const prefix = tool?.kind === 'custom' ? 'ctc' : 'fc';
    const { item } = this.begin(prefix, (place) => new CallItem(place, { callId, name, tool }));
    item.argue(args);
    this.calls.set(at, item);
  }
}

const contentOf = (own: JsonObject): string => {
  const { content } = own;
  if (typeof content === 'string') return content;
  return objectsAt(own, 'content')
    .map((part) => textAt(part, 'text'))
    .join('');
};
