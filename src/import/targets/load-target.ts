import { isObject } from '../../model/json.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { resources } from '../../resources/resources.ts'
import { createPersonTarget } from './person-target.ts'
import { createRecordTarget } from './record-target.ts'
import { requireEvent } from './require-event.ts'
import type { ImportTarget } from './target.ts'

/** The target for records of a collection; undefined for people without a schema. */
export async function loadTarget(
  name: string,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<ImportTarget | undefined> {
  const { collection, kind } = (await loadResource(name)) ?? {}
  if (collection) {
    const target = createRecordTarget(collection, organisationId)
    return name === 'bookings' ? requireEvent(target) : target
  }
  const schema = kind && schemas[kind]
  return schema && createPersonTarget(kind, schema)
}

const loadResource = async (name: string) =>
  Object.hasOwn(resources, name) ? resources[name]?.() : undefined

/** A target that accepts records of the source organisation and assigns them to the target's. Records of any other organisation are errors. */
export function createMovedTarget(target: ImportTarget, organisationId: string): ImportTarget {
  const checkOrganisation = (input: unknown) =>
    isObject(input) && (input.managedBy ?? organisationId) !== organisationId
      ? [
          {
            field: 'managedBy',
            message: `must be ${organisationId}.`,
            code: 'not_allowed' as const,
          },
        ]
      : []
  return {
    ...target,
    check(input, before) {
      const errors = checkOrganisation(input)
      return errors.length > 0 ? { errors } : target.check(omitOrganisation(input), before)
    },
    merge(before, patch) {
      const errors = checkOrganisation(patch)
      return errors.length > 0 ? { errors } : target.merge(before, omitOrganisation(patch))
    },
  }
}

function omitOrganisation(input: unknown): unknown {
  if (!isObject(input)) return input
  const { managedBy: _, ...rest } = input
  return rest
}
