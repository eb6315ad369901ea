import { fieldFunctionNames } from '../model/query/field-functions.ts'
import { functionOperators } from '../model/query/operators.ts'
import { bucketNames } from '../model/summary/buckets.ts'
import { isTextList } from '../model/value-types.ts'
import { edmTypeOf } from './edm-types.ts'
import type { EntityProperty, EntitySet } from './entity-sets.ts'
import { element } from './xml.ts'

/** The namespace of the entity types, functions and aggregation methods. */
export const namespace = 'DataPlatform'

/** The metadata document: the entity sets in EDMX 4.0 (OData CSDL XML). */
export const buildMetadata = (sets: readonly EntitySet[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'edmx:Edmx',
    { 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx', Version: '4.0' },
    ...(['Core', 'Capabilities', 'Aggregation'] as const).map(buildReference),
    element('edmx:DataServices', {}, buildSchema(sets)),
  )}\n`

// Microsoft's programs recognise these vocabularies by their addresses and do not fetch them.
const buildReference = (vocabulary: Vocabulary) =>
  element(
    'edmx:Reference',
    {
      Uri: `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.${vocabulary}.V1.xml`,
    },
    element('edmx:Include', { Namespace: `Org.OData.${vocabulary}.V1` }),
  )

type Vocabulary = 'Core' | 'Capabilities' | 'Aggregation'

/** The aggregation methods of this service, which are measures of summaries. */
export const customMethods = ['median', 'share', 'averageFirst', 'averageLast'] as const

const buildSchema = (sets: readonly EntitySet[]) =>
  element(
    'Schema',
    { xmlns: 'http://docs.oasis-open.org/odata/ns/edm', Namespace: namespace },
    ...sets.map(buildEntityType),
    ...bucketNames.flatMap((name) => dateTypes.map((type) => buildFunction(name, { date: type }))),
    ...dateTypes.map((on) => buildFunction('age', { date: 'Edm.Date', on })),
    element(
      'EntityContainer',
      { Name: 'Container' },
      ...sets.map(buildEntitySet),
      annotate('Capabilities', 'ConformanceLevel', {
        EnumMember: 'Org.OData.Capabilities.V1.ConformanceLevelType/Minimal',
      }),
      annotate('Capabilities', 'BatchSupported', { Bool: 'false' }),
      annotate('Capabilities', 'CrossJoinSupported', { Bool: 'false' }),
      annotate(
        'Capabilities',
        'FilterFunctions',
        {},
        buildCollection('String', [...functionOperators, ...fieldFunctionNames].toSorted()),
      ),
      annotate(
        'Aggregation',
        'ApplySupportedDefaults',
        {},
        element(
          'Record',
          {},
          ...Object.entries({
            Transformations: ['aggregate', 'compute', 'filter', 'groupby'],
            CustomAggregationMethods: customMethods.map((name) => `${namespace}.${name}`),
          }).map(([property, names]) =>
            element('PropertyValue', { Property: property }, buildCollection('String', names)),
          ),
        ),
      ),
    ),
  )

/** A function of dates for `compute` in `$apply`. */
const buildFunction = (name: string, parameters: Readonly<Record<string, string>>) =>
  element(
    'Function',
    { Name: name },
    ...Object.entries(parameters).map(([parameter, type]) =>
      element('Parameter', { Name: parameter, Type: type }),
    ),
    element('ReturnType', { Type: 'Edm.String' }),
  )

const dateTypes = ['Edm.Date', 'Edm.DateTimeOffset'] as const

const buildEntityType = ({ typeName, key, properties }: EntitySet) =>
  element(
    'EntityType',
    { Name: typeName },
    element('Key', {}, element('PropertyRef', { Name: key.name })),
    ...properties.map((property) => buildProperty(property, property === key)),
  )

const buildProperty = (property: EntityProperty, isKey: boolean) =>
  element(
    'Property',
    {
      Name: property.name,
      ...edmTypeOf(property).attributes,
      ...((isKey || isTextList(property)) && { Nullable: 'false' }),
    },
    annotate('Core', 'Description', { String: property.label }),
  )

/** Declares what the service does not support; by default, a client may expect everything. */
function buildEntitySet({ name, typeName, properties }: EntitySet): string {
  const notQueryable = properties.filter(
    (property) => !property.isQueryable || isTextList(property),
  )
  const paths = buildCollection(
    'PropertyPath',
    notQueryable.map((property) => property.name),
  )
  return element(
    'EntitySet',
    { Name: name, EntityType: `${namespace}.${typeName}` },
    restrict(
      'FilterRestrictions',
      element('PropertyValue', { Property: 'NonFilterableProperties' }, paths),
    ),
    restrict(
      'SortRestrictions',
      element('PropertyValue', { Property: 'NonSortableProperties' }, paths),
    ),
    ...Object.entries({
      ExpandRestrictions: 'Expandable',
      SearchRestrictions: 'Searchable',
      InsertRestrictions: 'Insertable',
      UpdateRestrictions: 'Updatable',
      DeleteRestrictions: 'Deletable',
    }).map(([term, property]) =>
      restrict(term, element('PropertyValue', { Property: property, Bool: 'false' })),
    ),
  )
}

const restrict = (term: string, propertyValue: string) =>
  annotate('Capabilities', term, {}, element('Record', {}, propertyValue))

const annotate = (
  vocabulary: Vocabulary,
  term: string,
  value: Readonly<Record<string, string>>,
  ...children: string[]
) => element('Annotation', { Term: `Org.OData.${vocabulary}.V1.${term}`, ...value }, ...children)

const buildCollection = (type: 'String' | 'PropertyPath', texts: readonly string[]) =>
  element('Collection', {}, ...texts.map((text) => element(type, {}, text)))
