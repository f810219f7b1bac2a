import type { JsonObject, NamedTool } from '../canonical.ts';
import { parseObject } from '../json.ts';
import { addItem, endItem, type ItemPlace, type ItemStatus, type OpenItem } from './events.ts';

export type CallNames = Readonly<{ callId: string; name: string; tool: NamedTool | undefined }>;

const namesOf = ({ callId, name, tool }: CallNames): JsonObject => ({
  call_id: callId,
  name: tool?.own ?? name,
  ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }),
});

/** Text that a model wrote outside of the one member is not thrown away. */
const inputOf = (args: string): string => {
  const { input } = parseObject(args) ?? {};
  return typeof input === 'string' ? input : args;
};

/** A call of a caller's tool. */
export class CallItem implements OpenItem {
  private readonly place: ItemPlace;
  private readonly names: CallNames;
  private args = '';

  constructor(place: ItemPlace, names: CallNames) {
    this.place = place;
    this.names = names;
    addItem(place, this.item('in_progress', ''));
  }

  argue(delta: string): void {
    if (delta === '') return;
    this.args += delta;
    // Free text is inside of JSON here: it can be written when it is whole.
    if (!this.isCustom) this.emit('function_call_arguments.delta', { delta });
  }

  close(status: ItemStatus): JsonObject {
    const text = this.isCustom ? this.endInput() : this.endArguments();
    return endItem(this.place, this.item(status, text));
  }

  private get isCustom(): boolean {
    return this.names.tool?.kind === 'custom';
  }

  private item(status: string, text: string): JsonObject {
    const { id } = this.place;
    const own = this.isCustom
      ? { type: 'custom_tool_call', input: text }
      : { type: 'function_call', arguments: text };
    return { id, ...own, status, ...namesOf(this.names) };
  }

  private endInput(): string {
    const input = inputOf(this.args);
    this.emit('custom_tool_call_input.delta', { delta: input });
    this.emit('custom_tool_call_input.done', { input });
    return input;
  }

  private endArguments(): string {
    if (this.args.trim() === '') this.argue('{}');
    const { name } = namesOf(this.names);
    this.emit('function_call_arguments.done', { arguments: this.args, name });
    return this.args;
  }

  private emit(type: string, members: JsonObject): void {
    const { events, id, index } = this.place;
    events.emit(type, { item_id: id, output_index: index, ...members });
  }
}
