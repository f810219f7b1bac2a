import { createHash } from 'node:crypto';

/** The request of a call, in no provider's terms. */
export type Conversation = Readonly<{
  model: string;
  isStream: boolean;
  system: string;
  /** Texts of all user turns. */
  asked: string;
  /** Of the current turn. */
  toolResults: readonly string[];
  /** Base64 of what was sent. */
  images: readonly string[];
  tools: readonly Tool[];
  /** The answer's own schema, wherever the provider has it. */
  schema: unknown;
  isThinking: boolean;
  /** Thoughts that were returned with the provider's own signature. */
  proofs: number;
  /** Tokens that are read from a context cache; absent: none. */
  cached?: number;
}>;
export type Tool = Readonly<{ name: string; schema: unknown }>;

export type Answer =
  | Readonly<{ kind: 'text'; text: string; thought: string | null }>
  | Readonly<{ kind: 'call'; name: string; input: object; thought: string | null }>
  | Readonly<{ kind: 'failure'; status: 400 | 429; message: string }>;

export type Counted = Readonly<{ model: string; prompt: number; completion: number }>;

/** A rule of the provider was broken; its text becomes the message of a 400. */
export class Violation extends Error {}

export class Unauthorized extends Error {}

export const rule = (holds: boolean, message: string): void => {
  if (!holds) throw new Violation(`rule: ${message}`);
};

/** Unknown members are refused, as providers do. */
export const onlyKnown = (value: object, known: readonly string[], where: string): void => {
  const extra = Object.keys(value).filter((name) => !known.includes(name));
  rule(extra.length === 0, `${where} has unknown members: ${extra.join(', ')}`);
};

/** What only this provider can have written. */
export const proofOf = (text: string): string =>
  createHash('sha256').update(`proof of ${text}`).digest('base64');

const structured = { city: 'Paris', population: 2 };
const thoughtText = 'The weather has to be looked up.';

/** Tools of command-line agents that read a file, and their input. */
const readers: Readonly<Record<string, (path: string) => object>> = {
  Read: (path) => ({ file_path: path }),
  read: (path) => ({ filePath: path }),
  read_file: (path) => ({ file_path: path }),
  exec_command: (path) => ({ cmd: `cat ${path}` }),
  shell: (path) => ({ command: ['cat', path] }),
  shell_command: (path) => ({ command: `cat ${path}` }),
};

const callFor = ({ tools, asked }: Conversation): Readonly<{ name: string; input: object }> => {
  const path = /FILE=([^\s"]+)/.exec(asked)?.[1];
  const own = tools.find(({ name }) =>
    path === undefined ? name === 'look_up' : Object.hasOwn(readers, name),
  );
  if (own === undefined) {
    throw new Violation(`rule: no tool is known: ${tools.map(({ name }) => name).join(', ')}`);
  }
  const input = path === undefined ? { city: 'Paris' } : (readers[own.name]?.(path) ?? {});
  return { name: own.name, input };
};

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;

/** `{"output": "…"}`, as some clients wrap their results, is its text. */
const unwrapped = (result: string): string =>
  /"(?:output|content|result)":"([^"]*)"/.exec(result)?.[1] ?? result;

const toolScene = (conversation: Conversation): Answer => {
  const { toolResults, isThinking } = conversation;
  const thought = isThinking ? thoughtText : null;
  if (toolResults.length > 0) {
    const text = `The tool answered: ${toolResults.map(unwrapped).join(' ')}`;
    return { kind: 'text', text, thought };
  }
  // Agents have a conversation named, by a separate call without tools.
  if (conversation.tools.length === 0) return { kind: 'text', text: 'A file is read', thought };
  return { kind: 'call', ...callFor(conversation), thought };
};

const thinkingScene = (conversation: Conversation): Answer => {
  const answer = toolScene(conversation);
  if (answer.kind !== 'text') return answer;
  const { isThinking, proofs } = conversation;
  return { ...answer, text: `${answer.text}; thinking ${isThinking}, proofs ${proofs}` };
};

const jsonScene = (conversation: Conversation): Answer => {
  const { schema, system, tools } = conversation;
  const tool = tools.find((own) => JSON.stringify(own.schema).includes('population'));
  if (schema === null && tool !== undefined) {
    return { kind: 'call', name: tool.name, input: structured, thought: null };
  }
  const isKnown = `${JSON.stringify(schema)} ${system} ${conversation.asked}`.includes(
    'population',
  );
  return { kind: 'text', text: isKnown ? JSON.stringify(structured) : 'no schema', thought: null };
};

/** The scene is named in the prompt, so that it arrives through any client. */
export const answerTo = (conversation: Conversation, shape: string): Answer => {
  const text = (own: string): Answer => ({ kind: 'text', text: own, thought: null });
  const scene = [...conversation.asked.matchAll(/SCENE-(\w+)/g)].at(-1)?.[1];
  switch (scene) {
    case 'tool':
      return toolScene(conversation);
    case 'think':
      return thinkingScene(conversation);
    case 'json':
      return jsonScene(conversation);
    case 'image':
      return text(`Pictures of ${conversation.images.map(bytesOf).join(', ')} bytes`);
    case 'system':
      return text(`Instructed: ${conversation.system}`);
    case 'limit':
      return { kind: 'failure', status: 429, message: 'Too many requests for this model' };
    case 'invalid':
      return { kind: 'failure', status: 400, message: 'The request cannot be served' };
    default:
      return text(`Hello from ${shape}`);
  }
};
