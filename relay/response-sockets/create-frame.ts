import { isObject, parseJson } from '../protocol/json.ts';
import { type Member, scanMembers } from '../protocol/scan-body.ts';
import { valueText } from '../protocol/splice.ts';
import { withMembers, withoutMembers } from '../providers/shared/byte-overrides.ts';

/** A frame that requests a response. */
export type CreateFrame = Readonly<{
  /** The body of the same call over HTTP, but for what it continues. */
  body: Buffer;
  /** Which of several conversations on one connection; "" where the caller has one. */
  streamId: string;
  /** Responses are made one after the other in each of them. */
  previousId: string;
  /** Earlier items are kept elsewhere, and precede the items here. */
  isInConversation: boolean;
  /** The new items of the input, as JSON without the brackets around them. */
  items: string;
  isStored: boolean;
  /** false: the caller only prepares input. */
  isGenerated: boolean;
}>;

/** What is wrong with a frame. */
export type FrameProblem = Readonly<{ problem: string }>;

const text = (frame: Buffer, member: Member | undefined): string => {
  const value = member === undefined ? '' : parseJson(valueText(frame, member));
  return typeof value === 'string' ? value : '';
};

const isFalse = (frame: Buffer, member: Member | undefined): boolean =>
  member !== undefined && valueText(frame, member) === 'false';

const isGiven = (frame: Buffer, member: Member | undefined): boolean =>
  member !== undefined && valueText(frame, member) !== 'null';

/** A list without its brackets; a text is the user's message. */
const itemsOf = (frame: Buffer, member: Member | undefined): string => {
  const json = member === undefined ? '' : valueText(frame, member).trim();
  if (json.startsWith('[')) return json.slice(1, -1).trim();
  return json.startsWith('"') ? `{"type":"message","role":"user","content":${json}}` : '';
};

/** Members of the connection, which the call over HTTP does not have. */
const ofTheFrame = ['type', 'stream_id', 'generate', 'background', 'stream'] as const;

const maxStreamIdChars = 256;

export const readFrame = (frame: Buffer): CreateFrame | FrameProblem => {
  const members = scanMembers(frame);
  if (members === null) return { problem: 'A frame must be one JSON object' };
  const type = text(frame, members.get('type'));
  if (type !== 'response.create') {
    return { problem: `Events of type ${JSON.stringify(type.slice(0, 64))} are not supported` };
  }
  const streamId = text(frame, members.get('stream_id'));
  if (streamId.length > maxStreamIdChars) return { problem: 'stream_id is too long' };
  return {
    body: withMembers(withoutMembers(frame, ofTheFrame), new Map([['stream', 'true']])),
    streamId,
    previousId: text(frame, members.get('previous_response_id')),
    isInConversation: isGiven(frame, members.get('conversation')),
    items: itemsOf(frame, members.get('input')),
    isStored: !isFalse(frame, members.get('store')),
    isGenerated: !isFalse(frame, members.get('generate')),
  };
};

export const joinedItems = (...lists: readonly string[]): string =>
  lists.filter((list) => list !== '').join(',');

/** The same call with the whole conversation in it. */
export const withConversation = ({ body }: CreateFrame, items: string): Buffer =>
  withMembers(withoutMembers(body, ['previous_response_id']), new Map([['input', `[${items}]`]]));

/** Reasoning without its content is of use only where the provider keeps it. */
const isOfUse = (item: unknown): boolean =>
  isObject(item) && (item.type !== 'reasoning' || typeof item.encrypted_content === 'string');

/** The items of an answer, as a caller would send them back. */
export const outputItems = (output: unknown): string =>
  Array.isArray(output)
    ? output
        .filter(isOfUse)
        .map((item) => JSON.stringify(item))
        .join(',')
    : '';
