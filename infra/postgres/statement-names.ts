/** Their plans change with the tables; a prepared question would have to keep the shape of its answer. */
const isWrite = (text: string): boolean =>
  /^(INSERT|UPDATE|DELETE|WITH moved AS \(UPDATE) /.test(text);
/** A statement that is this frequent is worth a place in the server's memory. */
const seenBefore = 3;
const maxNames = 256;

/** Names for the writes that a connection sees again and again: the server parses and plans these once. */
export const createStatementNames = (prefix: string) => {
  const seen = new Map<string, number>();
  const names = new Map<string, string>();
  return (text: string): string | null => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size >= maxNames || !isWrite(text)) return null;
    const count = (seen.get(text) ?? 0) + 1;
    if (count < seenBefore) {
      if (seen.size >= maxNames) seen.clear();
      seen.set(text, count);
      return null;
    }
    seen.delete(text);
    const created = `${prefix}_${names.size}`;
    names.set(text, created);
    return created;
  };
};
