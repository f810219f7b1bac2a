/** Members that contain text in every protocol: they count as text, whatever their form. */
export const wordedMembers: ReadonlySet<string> = new Set([
  ...['text', 'content', 'thinking', 'summary', 'refusal', 'reasoning', 'reasoning_content'],
  ...['arguments', 'input', 'output', 'code', 'stdout', 'stderr', 'logs', 'transcript'],
  ...['prompt', 'suffix', 'query', 'system', 'instructions', 'description'],
]);
