import type { JsonObject } from '../canonical.ts';
import { defined, objectAt } from '../json.ts';
import { addItem, endItem, type ItemPlace, type ItemStatus, type OpenItem } from './events.ts';

type Kind = 'output_text' | 'refusal';
type Part = {
  kind: Kind;
  text: string;
  readonly annotations: JsonObject[];
  readonly logprobs: JsonObject[];
};

const shown = ({ kind, text, annotations, logprobs }: Part): JsonObject =>
  kind === 'refusal'
    ? { type: kind, refusal: text }
    : { type: kind, annotations: [...annotations], logprobs: [...logprobs], text };

/** Sources are a separate member in chats. */
const annotationOf = (annotation: JsonObject): JsonObject => {
  const { type, url_citation: _, ...rest } = annotation;
  return type === 'url_citation'
    ? defined({
        type,
        start_index: 0,
        end_index: 0,
        title: '',
        ...objectAt(annotation, 'url_citation'),
      })
    : { type, ...rest };
};

/** The text that a model addresses to the reader. */
export class MessageItem implements OpenItem {
  private readonly place: ItemPlace;
  private readonly parts: JsonObject[] = [];
  private part: Part | null = null;

  constructor(place: ItemPlace) {
    this.place = place;
    addItem(place, this.item('in_progress'));
  }

  say(kind: Kind, text: string, logprobs: readonly JsonObject[]): void {
    const part = this.partOf(kind);
    part.text += text;
    part.logprobs.push(...logprobs);
    const own = kind === 'refusal' ? {} : { logprobs };
    this.emit(`${kind}.delta`, { delta: text, ...own });
  }

  annotate(annotation: JsonObject): void {
    const part = this.partOf('output_text');
    const own = annotationOf(annotation);
    const annotation_index = part.annotations.length;
    part.annotations.push(own);
    this.emit('output_text.annotation.added', { annotation_index, annotation: own });
  }

  close(status: ItemStatus): JsonObject {
    this.endPart();
    return endItem(this.place, this.item(status));
  }

  private item(status: string): JsonObject {
    const { id } = this.place;
    return { id, type: 'message', status, content: [...this.parts], role: 'assistant' };
  }

  private emit(type: string, members: JsonObject): void {
    const { events, id, index } = this.place;
    const content_index = this.parts.length;
    events.emit(type, { item_id: id, output_index: index, content_index, ...members });
  }

  private partOf(kind: Kind): Part {
    if (this.part?.kind === kind) return this.part;
    this.endPart();
    const part: Part = { kind, text: '', annotations: [], logprobs: [] };
    this.part = part;
    this.emit('content_part.added', { part: shown(part) });
    return part;
  }

  private endPart(): void {
    const { part } = this;
    if (part === null) return;
    const { kind, text, logprobs } = part;
    this.emit(`${kind}.done`, kind === 'refusal' ? { refusal: text } : { text, logprobs });
    this.emit('content_part.done', { part: shown(part) });
    this.parts.push(shown(part));
    this.part = null;
  }
}
