import { DefaultSettings, Language, TaskUtils } from '@microsoft/powerquery-parser'

const { NodeKind } = Language.Ast
type Node = Language.Ast.TNode

type PowerQueryFunction = (...values: unknown[]) => unknown
type PowerQueryRecord = Record<string, unknown>

/** Finds the value of a name. Values are evaluated on demand, as in Power Query. */
type Scope = (name: string) => unknown

/** Evaluates a Power Query document with the parts of the language that the examples use. Other parts throw. */
export async function evaluate(text: string, names: PowerQueryRecord): Promise<unknown> {
  const parsed = await TaskUtils.tryLexParse(DefaultSettings, text)
  if (!TaskUtils.isParseStageOk(parsed)) throw new Error('Power Query cannot parse this.')
  return evaluateNode(parsed.ast, (name) => field(names, name))
}

async function evaluateNode(node: Node, scope: Scope): Promise<unknown> {
  switch (node.kind) {
    case NodeKind.LetExpression: {
      const values = new Map<string, () => unknown>()
      const inner = extend(scope, values)
      for (const { node: variable } of node.variableList.elements) {
        let value: Promise<unknown> | undefined
        values.set(parseName(variable.key.literal), () => {
          value ??= evaluateNode(variable.value, inner)
          return value
        })
      }
      return evaluateNode(node.expression, inner)
    }
    case NodeKind.FunctionExpression: {
      const names = node.parameters.content.elements.map(({ node }) => node.name.literal)
      return defineFunction(names, node.expression, scope)
    }
    case NodeKind.EachExpression:
      return defineFunction(['_'], node.paired, scope)
    case NodeKind.RecursivePrimaryExpression: {
      let value = await evaluateNode(node.head, scope)
      for (const next of node.recursiveExpressions.elements) {
        if (next.kind === NodeKind.FieldSelector)
          value = field(value, parseName(next.content.literal))
        else if (next.kind === NodeKind.InvokeExpression)
          value = await asFunction(value)(...(await evaluateAll(next.content.elements, scope)))
        else throw new Error(`${next.kind} is not supported.`)
      }
      return value
    }
    case NodeKind.FieldSelector:
      return field(await scope('_'), parseName(node.content.literal))
    case NodeKind.RecordExpression: {
      const pairs = node.content.elements.map(async ({ node: { key, value } }) => [
        parseName(key.literal),
        await evaluateNode(value, scope),
      ])
      return Object.fromEntries(await Promise.all(pairs))
    }
    case NodeKind.ListExpression:
      return evaluateAll(node.content.elements, scope)
    case NodeKind.LiteralExpression:
      return parseLiteral(node.literal)
    case NodeKind.IdentifierExpression:
      return scope(parseName(node.identifier.literal))
    case NodeKind.ParenthesizedExpression:
      return evaluateNode(node.content, scope)
    case NodeKind.IfExpression:
      return (await evaluateNode(node.condition, scope)) === true
        ? evaluateNode(node.trueExpression, scope)
        : evaluateNode(node.falseExpression, scope)
    case NodeKind.TypePrimaryType:
      if (node.paired.kind !== NodeKind.PrimitiveType) break
      return { type: node.paired.primitiveTypeKind }
    case NodeKind.NullCoalescingExpression:
      return (await evaluateNode(node.left, scope)) ?? evaluateNode(node.right, scope)
    case NodeKind.EqualityExpression:
    case NodeKind.ArithmeticExpression: {
      const [left, right] = await Promise.all([
        evaluateNode(node.left, scope),
        evaluateNode(node.right, scope),
      ])
      return operate(node.operatorConstant.constantKind, left, right)
    }
  }
  throw new Error(`${node.kind} is not supported.`)
}

const evaluateAll = (elements: readonly { node: Node }[], scope: Scope) =>
  Promise.all(elements.map(({ node }) => evaluateNode(node, scope)))

function defineFunction(names: string[], body: Node, scope: Scope): PowerQueryFunction {
  return (...values) => {
    if (values.length > names.length) throw new Error('There are too many arguments.')
    const parameters = names.map((name, index) => [name, () => values[index] ?? null] as const)
    return evaluateNode(body, extend(scope, new Map(parameters)))
  }
}

const extend =
  (scope: Scope, values: ReadonlyMap<string, () => unknown>): Scope =>
  (name) => {
    const value = values.get(name)
    return value ? value() : scope(name)
  }

function operate(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '=') return left === right
  if (operator === '&' && typeof left === 'string' && typeof right === 'string') return left + right
  if (operator === '&' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  if (operator === '&' && isRecord(left) && isRecord(right)) return { ...left, ...right }
  throw new Error(`${operator} cannot have these operands.`)
}

function field(value: unknown, name: string): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, name)) throw new Error(`There is no ${name}.`)
  return value[name]
}

const isRecord = (value: unknown): value is PowerQueryRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function asFunction(value: unknown): PowerQueryFunction {
  if (typeof value !== 'function') throw new Error('This is not a function.')
  return (...values) => value(...values)
}

/** Parses an identifier, such as `name` or `#"$format"`. */
const parseName = (literal: string) =>
  literal.startsWith('#"') ? parseText(literal.slice(1)) : literal

function parseLiteral(literal: string): unknown {
  if (literal.startsWith('"')) return parseText(literal)
  return JSON.parse(literal)
}

const parseText = (literal: string) => literal.slice(1, -1).replaceAll('""', '"')
