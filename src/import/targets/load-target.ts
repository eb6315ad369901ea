import { isObject } from '../../model/json.ts'
import { resources } from '../../resources/resources.ts'
import type { Schemas } from './open-schema.ts'
import { parentOf } from './parents.ts'
import { createPersonTarget } from './person-target.ts'
import { createRecordTarget } from './record-target.ts'
import { requireParent } from './require-parent.ts'
import type { ImportTarget } from './target.ts'

/** The target for records of a collection; undefined for people without a schema. */
export async function loadTarget(
  name: string,
  organisationId: string,
  schemas: Schemas,
): Promise<ImportTarget | undefined> {
  const { collection, kind } = (await loadResource(name)) ?? {}
  if (collection) {
    const target = createRecordTarget(collection, organisationId)
    const parent = parentOf(name)
    return parent ? requireParent(target, parent) : target
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
