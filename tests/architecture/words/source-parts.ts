import ts from 'typescript';

/** A piece of text and the line (1 first) on which it begins. */
type Placed = Readonly<{ text: string; line: number }>;
export type SourceParts = Readonly<{
  comments: readonly Placed[];
  /** Names that the source gives or uses; texts and property names in quotes are data. */
  identifiers: readonly Placed[];
}>;

const kindOf = (path: string): ts.ScriptKind =>
  path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;

/** Comments and identifiers of one source; a page of Markdown is one comment for each line. */
export const partsOf = (path: string, text: string): SourceParts => {
  if (!/\.(tsx?|mjs|cjs)$/.test(path)) {
    const comments = text.split('\n').map((line, at) => ({ text: line, line: at + 1 }));
    return { comments, identifiers: [] };
  }
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kindOf(path));
  const comments: Placed[] = [];
  const identifiers: Placed[] = [];
  const seen = new Set<number>();
  const lineAt = (position: number): number =>
    file.getLineAndCharacterOfPosition(position).line + 1;
  const collect = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      comments.push({ text: text.slice(pos, end), line: lineAt(pos) });
    }
  };
  const visit = (node: ts.Node): void => {
    if (node.pos !== node.end || node.kind === ts.SyntaxKind.EndOfFileToken) {
      collect(ts.getLeadingCommentRanges(text, node.pos));
      collect(ts.getTrailingCommentRanges(text, node.end));
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      identifiers.push({ text: node.text, line: lineAt(node.getStart(file)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { comments, identifiers };
};
