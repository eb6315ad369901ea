import { contactDetails } from '../model/properties/recognise.ts'
import {
  assistantPermissions,
  formatPermissions,
  fullPermissions,
  type KeyPermission,
} from './permissions.ts'
import { assistantRestrictions, type Restrictions, serialiseRestrictions } from './restrictions.ts'

/** The access of a key for a common purpose. */
export type KeyPreset = {
  id: string
  name: string
  /** What the key can do, in one or two sentences. */
  summary: string
  permissions: readonly KeyPermission[]
  restrictions: Restrictions
}

/** The preset that reveals least and is enough for most figures: the first choice for a new key. */
export const defaultPreset: KeyPreset = {
  id: 'reporting-without-details',
  name: 'Reporting without personal details',
  summary:
    'Reads everything but names, contact details, dates of birth, free text and special category data (ethnicity, religion, health and the like).',
  permissions: ['read'],
  restrictions: {
    privateNotes: false,
    hideFields: [...contactDetails, 'free text', 'special category'],
  },
}

/** The presets for a new key. A key keeps no link to its preset: its access can be changed afterwards. */
export const keyPresets: readonly KeyPreset[] = [
  defaultPreset,
  {
    id: 'reporting',
    name: 'Reporting',
    summary:
      'Reads everything but private notes and special category data (ethnicity, religion, health and the like).',
    permissions: ['read'],
    restrictions: { privateNotes: false, hideFields: ['special category'] },
  },
  {
    id: 'web-form',
    name: 'Web form',
    summary: 'Adds members. Reads nothing.',
    permissions: ['create-members'],
    restrictions: {},
  },
  {
    id: 'two-way-sync',
    name: 'Exchange with another system',
    summary: 'Reads, adds, changes and deletes everything.',
    permissions: fullPermissions,
    restrictions: {},
  },
  {
    id: 'partner-events',
    name: 'Partner’s events',
    summary: 'Reads events and their places, without names and contact details.',
    permissions: ['read'],
    restrictions: { collections: ['events'], hideFields: ['email', 'phone', 'names'] },
  },
  {
    id: 'assistant',
    name: 'Assistant',
    summary:
      'Answers questions for Claude, Copilot or ChatGPT, without free text and private notes. Changes nothing.',
    permissions: assistantPermissions,
    restrictions: assistantRestrictions,
  },
]

/** The preset with this id, by default the least revealing one. */
export const findPresetById = (id: unknown): KeyPreset =>
  keyPresets.find((preset) => preset.id === id) ?? defaultPreset

/** The preset with exactly this access, given as stored; undefined without one. */
export const findPreset = (access: {
  permissions: string
  restrictions: string | null
}): KeyPreset | undefined =>
  keyPresets.find(
    ({ permissions, restrictions }) =>
      formatPermissions(permissions) === access.permissions &&
      serialiseRestrictions(restrictions) === access.restrictions,
  )
