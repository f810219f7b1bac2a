import ts from 'typescript';

/** One change of one node: what stands there afterwards, given the texts of its parts. */
export type Change = Readonly<{ operator: string; to: string }>;
/** The text of a node with the switches of the mutants inside it. */
export type Render = (node: ts.Node) => string;

const { SyntaxKind: Kind } = ts;

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};
const arithmetic: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
};
const logical: Readonly<Record<string, readonly string[]>> = { '&&': ['||'], '||': ['&&'] };
const compound: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=' };

const operatorChanges = (node: ts.BinaryExpression, render: Render): readonly Change[] => {
  const sign = node.operatorToken.getText();
  const left = render(node.left);
  const right = render(node.right);
  if (sign === '??') {
    return [
      { operator: 'default dropped', to: left },
      { operator: 'default always', to: right },
    ];
  }
  const replaced = compound[sign];
  if (replaced !== undefined) {
    return [{ operator: `${sign} → ${replaced}`, to: `${left} ${replaced} ${right}` }];
  }
  const others = comparisons[sign] ?? arithmetic[sign] ?? logical[sign] ?? [];
  return others.map((other) => ({
    operator: `${sign} → ${other}`,
    to: `(${left}) ${other} (${right})`,
  }));
};

/** A map, as a method may be called `toString`. */
const methodPairs: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);
/** Calls that only select or order: the receiver itself stands in for the result. */
const selecting: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'trim',
  'toLowerCase',
  'sort',
  'reverse',
  'toSorted',
]);

const callChanges = (node: ts.CallExpression, render: Render): readonly Change[] => {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const receiver = render(expression);
  if (selecting.has(name.text)) return [{ operator: `.${name.text}() dropped`, to: receiver }];
  const other = methodPairs.get(name.text);
  if (other === undefined) return [];
  const given = node.arguments.map(render).join(', ');
  return [{ operator: `${name.text} → ${other}`, to: `${receiver}.${other}(${given})` }];
};

const isMember = (node: ts.Node, among: readonly ts.SyntaxKind[]): boolean =>
  among.includes(node.kind);

/** A text that only people read: a thrown message. */
const isMessage = (node: ts.Node): boolean =>
  ts.isNewExpression(node.parent) && /Error$/.test(node.parent.expression.getText());

const isName = (node: ts.Node): boolean =>
  isMember(node.parent, [Kind.ImportDeclaration, Kind.ExportDeclaration, Kind.LiteralType]) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  ts.isComputedPropertyName(node.parent);

const literalChanges = (node: ts.Expression): readonly Change[] => {
  if (isName(node)) return [];
  if (ts.isNumericLiteral(node)) return [{ operator: 'number', to: `(${node.getText()} + 1)` }];
  if (ts.isBigIntLiteral(node)) return [{ operator: 'number', to: `(${node.getText()} + 1n)` }];
  if (node.kind === Kind.TrueKeyword) return [{ operator: 'boolean', to: 'false' }];
  if (node.kind === Kind.FalseKeyword) return [{ operator: 'boolean', to: 'true' }];
  if (!ts.isStringLiteral(node) || isMessage(node)) return [];
  return [{ operator: 'text', to: node.text === '' ? "'mutant'" : "''" }];
};

const otherChanges = (node: ts.Expression, render: Render): readonly Change[] => {
  if (ts.isConditionalExpression(node)) {
    return [
      { operator: 'condition true', to: render(node.whenTrue) },
      { operator: 'condition false', to: render(node.whenFalse) },
    ];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken) {
    return [{ operator: '! dropped', to: render(node.operand) }];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.MinusToken) {
    return [{ operator: 'sign dropped', to: render(node.operand) }];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) {
    return [{ operator: 'list emptied', to: '[]' }];
  }
  return [];
};

/** Every change of an expression that stands for a value. */
export const expressionChanges = (node: ts.Expression, render: Render): readonly Change[] => {
  if (ts.isBinaryExpression(node)) return operatorChanges(node, render);
  if (ts.isCallExpression(node)) return callChanges(node, render);
  return [...literalChanges(node), ...otherChanges(node, render)];
};

const recorders: ReadonlySet<string> = new Set(['logger', 'metrics', 'meters']);

const isRecorder = (node: ts.Expression): boolean => {
  if (ts.isIdentifier(node)) return recorders.has(node.text);
  if (!ts.isPropertyAccessExpression(node)) return false;
  return recorders.has(node.name.text) || isRecorder(node.expression);
};

/** A call that only tells operators something; no money depends on it. */
export const isRecording = (node: ts.Node): boolean => {
  if (ts.isExpressionStatement(node)) return isRecording(node.expression);
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    isRecorder(node.expression.expression)
  );
};

/** Statements that can be left out, and conditions that can be held true or false. */
export const isRemovable = (node: ts.Statement): boolean =>
  (ts.isExpressionStatement(node) && !isSuperCall(node.expression)) ||
  (ts.isReturnStatement(node) && node.expression === undefined) ||
  ts.isThrowStatement(node) ||
  ts.isContinueStatement(node);

const isSuperCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) && node.expression.kind === Kind.SuperKeyword;
