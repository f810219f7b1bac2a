import ts from 'typescript';
import { type Change, expressionChanges, isRecording, isRemovable } from './mutators.ts';

export type Mutant = Readonly<{
  /** Stable over edits elsewhere in the file: what is changed, and the how-manieth of its like. */
  key: string;
  file: string;
  line: number;
  operator: string;
  from: string;
  to: string;
}>;

const shortened = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);

const isTypeOnly = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node);

/** Its text is a target or a name, and no value. */
const isTarget = (node: ts.Node): boolean => {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return true;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return true;
  // Inside `a?.b.c` a pair of brackets would end the chain.
  if (ts.isOptionalChain(node) && ts.isOptionalChain(parent)) return true;
  if (ts.isDeleteExpression(parent)) return true;
  return ts.isPostfixUnaryExpression(parent);
};
const isAssignment = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  operatorToken.kind <= ts.SyntaxKind.LastAssignment;

const isLoopBody = (node: ts.Node): boolean =>
  ts.isIterationStatement(node.parent ?? node, false) &&
  (node.parent as ts.IterationStatement).statement === node;

const header =
  'const __m = (globalThis.__mutation ??= { on: -1, hits: new Set(), ticks: 0, ' +
  'is(id) { this.hits.add(id); return this.on === id; }, ' +
  "tick() { if (++this.ticks > 1e6) throw new Error('endless'); } });";

/** A source with all its mutants inside, each behind a switch, and the list of them. */
export const instrument = (
  file: string,
  text: string,
  firstId: number,
): Readonly<{ source: string; mutants: readonly Mutant[] }> => {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const alike = new Map<string, number>();

  const add = (node: ts.Node, { operator, to }: Change): number => {
    const from = shortened(node.getText(tree));
    const plain = `${file} | ${operator} | ${from}`;
    const before = alike.get(plain) ?? 0;
    alike.set(plain, before + 1);
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    mutants.push({
      key: before === 0 ? plain : `${plain} | ${before + 1}`,
      file,
      line: line + 1,
      operator,
      from,
      to: shortened(to.replaceAll(/__m\.is\(\d+\) \? /g, '')),
    });
    return firstId + mutants.length - 1;
  };

  const plainText = (node: ts.Node): string => {
    let out = '';
    let at = node.getStart(tree);
    ts.forEachChild(node, (child) => {
      out += text.slice(at, child.getStart(tree)) + render(child);
      at = child.end;
    });
    return out + text.slice(at, node.end);
  };

  const original = (node: ts.Node): string => text.slice(node.getStart(tree), node.end);

  const expression = (node: ts.Expression): string => {
    const inner = plainText(node);
    if (isTarget(node)) return inner;
    const changes = expressionChanges(node, original);
    if (changes.length === 0) return inner;
    const switches = changes.map((change) => `__m.is(${add(node, change)}) ? (${change.to}) : `);
    return `(${switches.join('')}(${inner}))`;
  };

  const statement = (node: ts.Statement): string => {
    const inner = ts.isIfStatement(node) ? conditioned(node) : plainText(node);
    const guarded = isRemovable(node)
      ? `{ if (!__m.is(${add(node, { operator: 'statement removed', to: '' })})) { ${inner} } }`
      : inner;
    return isLoopBody(node) ? `{ __m.tick(); ${guarded} }` : guarded;
  };

  const conditioned = (node: ts.IfStatement): string => {
    const condition = node.expression;
    const always = add(condition, { operator: 'if true', to: 'true' });
    const never = add(condition, { operator: 'if false', to: 'false' });
    const asked = `__m.is(${always}) ? true : __m.is(${never}) ? false : (${render(condition)})`;
    const other = node.elseStatement === undefined ? '' : ` else ${render(node.elseStatement)}`;
    return `if (${asked}) ${render(node.thenStatement)}${other}`;
  };

  const render = (node: ts.Node): string => {
    if (isTypeOnly(node) || isRecording(node)) return original(node);
    if (ts.isStatement(node) && !ts.isDeclarationStatement(node)) return statement(node);
    if (ts.isExpression(node) && !ts.isIdentifier(node)) return expression(node);
    return plainText(node);
  };

  const body = tree.statements
    .map((each) => text.slice(each.getFullStart(), each.getStart(tree)) + render(each))
    .join('');
  return { source: `${header}${body}`, mutants };
};
