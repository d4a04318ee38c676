import type * as v from 'valibot'
import type { Format } from './fields.ts'

/**
 * A schema as plain data: what the flags, the help, the query parser, OpenAPI and the docs are derived from.
 */
export interface Shape {
  kind: 'string' | 'number' | 'boolean' | 'enum' | 'array' | 'object' | 'map' | 'any'
  required: boolean
  nullable: boolean
  description: string | undefined
  format: Format | undefined
  choices: string[]
  /** Of an array or a map. */
  item: Shape | undefined
  /** Of an object. */
  fields: Record<string, Shape>
}

// biome-ignore lint/suspicious/noExplicitAny: valibot's schemas are read as data here, whatever their type
type AnySchema = any

const empty: Shape = {
  kind: 'any',
  required: true,
  nullable: false,
  description: undefined,
  format: undefined,
  choices: [],
  item: undefined,
  fields: {},
}

/** Reads one schema. Optional, nullable and piped wrappers are folded into the shape. */
export function shapeOf(schema: v.GenericSchema): Shape {
  const node = schema as AnySchema
  const [root, ...steps] = node.pipe ?? [node]
  const shape: Shape = root.pipe ? shapeOf(root) : { ...empty, ...base(root) }
  for (const step of steps) {
    if (step.type === 'description') shape.description = step.description
    if (step.type === 'metadata' && step.metadata.format) shape.format = step.metadata.format
  }
  return shape
}

/** The shapes of an object schema's fields, in their order. */
export function fieldsOf(schema: v.GenericSchema | undefined): Record<string, Shape> {
  return schema ? shapeOf(schema).fields : {}
}

function base(node: AnySchema): Partial<Shape> {
  switch (node.type) {
    case 'optional':
      return { ...shapeOf(node.wrapped), required: false }
    case 'nullable':
      return { ...shapeOf(node.wrapped), nullable: true }
    case 'string':
      return { kind: 'string' }
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'picklist':
      return { kind: 'enum', choices: node.options }
    case 'literal':
      return { kind: 'enum', choices: [String(node.literal)] }
    case 'array':
      return { kind: 'array', item: shapeOf(node.item) }
    case 'record':
      return { kind: 'map', item: shapeOf(node.value) }
    case 'object':
    case 'strict_object':
      return {
        kind: 'object',
        fields: Object.fromEntries(Object.entries(node.entries).map(([key, field]) => [key, shapeOf(field as v.GenericSchema)])),
      }
    default:
      return { kind: 'any' }
  }
}
