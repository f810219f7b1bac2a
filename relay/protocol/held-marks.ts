/*
 * Names of members with content that is not in the body as text: pictures, and what a provider stores or fetches.
 * The scan of the body counts them, as a key or as a short value (`"type":"item_reference"`).
 */

/** Of a size that can be bound: each is a picture or a document. */
const pictures = ['image_url', 'image', 'input_image', 'inlineData', 'inline_data', 'document'];
/** Of any size: files, conversations, caches, stores and addresses. */
const unsized = [
  ...[
    'file_id',
    'file_url',
    'fileData',
    'file_data',
    'input_file',
    'fileUri',
    'video_url',
    'audio_url',
    'thread',
  ],
  ...['previous_response_id', 'conversation', 'item_reference', 'cachedContent', 'cached_content'],
  ...['container', 'vector_store_ids', 'vector_stores', 'data_sources', 'context_management'],
];

type HeldKind = 'picture' | 'kept';
type Mark = Readonly<{ kind: HeldKind; bytes: Buffer }>;

const marks: readonly Mark[] = [
  ...pictures.map((name): Mark => ({ kind: 'picture', bytes: Buffer.from(name) })),
  ...unsized.map((name): Mark => ({ kind: 'kept', bytes: Buffer.from(name) })),
];

/** By length: each string of a body is compared. */
export const marksByLength: readonly (readonly Mark[] | undefined)[] = Array.from(
  { length: Math.max(...marks.map(({ bytes }) => bytes.length)) + 1 },
  (_, length) => {
    const own = marks.filter(({ bytes }) => bytes.length === length);
    return own.length === 0 ? undefined : own;
  },
);
