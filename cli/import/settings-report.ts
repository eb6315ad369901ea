import { listedNames, restrictionNames } from '../../src/access/restrictions.ts'
import type { RestoredSettings } from '../../src/admin/settings/import-settings.ts'
import type { ExportedKey, ExportedWebhook } from '../../src/admin/settings/settings-file.ts'
import { toOptionName } from '../terminal/option-name.ts'

/** Describes what an import did with settings, or would do, and lists the commands that create keys and webhooks again. */
export function formatSettings(
  file: string,
  settings: RestoredSettings,
  isDryRun: boolean,
): string[] {
  const { organisationId, restored, existing, leftOut, hasClosedPages, keys, webhooks } = settings
  const verb = isDryRun ? 'would be restored' : 'restored'
  return [
    `${file}: ${restored.length} settings ${verb}, ${existing.length} exist and stay, ${leftOut.length} left out.`,
    ...existing.map((label) => `${file}: exists and stays: ${label}`),
    ...leftOut.map((label) => `${file}: left out: ${label}`),
    ...(hasClosedPages
      ? [
          'The public pages are off. Check them, then switch them on:',
          command('organisation', 'set', organisationId, '--public-pages', 'on'),
        ]
      : []),
    ...(keys.length > 0 ? ['Create these keys again:'] : []),
    ...keys.map((key) => keyCommand(organisationId, key)),
    ...(webhooks.length > 0
      ? ['Add these webhooks again, with the rest of their addresses, which may be secret:']
      : []),
    ...webhooks.map((webhook) => webhookCommand(organisationId, webhook)),
  ]
}

function keyCommand(
  organisationId: string,
  { name, permissions, restrictions, expires }: ExportedKey,
) {
  const lists = restrictionNames.flatMap((name) => {
    const names = listedNames(restrictions, name)
    return names.length > 0 ? [`--${toOptionName(name)}`, names.join(',')] : []
  })
  const switches = restrictionNames.flatMap((name) =>
    restrictions[name] === false ? [`--no-${toOptionName(name)}`] : [],
  )
  return command(
    ...['key', 'create', organisationId, '--name', name],
    ...['--permissions', permissions.join(','), ...lists, ...switches],
    ...(expires ? ['--expires', expires] : []),
  )
}

function webhookCommand(organisationId: string, { host, collections, changes }: ExportedWebhook) {
  const options = ['--collections', collections.join(','), '--changes', changes.join(',')]
  return command('webhook', 'add', organisationId, `https://${host}/…`, ...options)
}

const command = (...words: string[]) => `  npm run admin -- ${words.map(quote).join(' ')}`

/** Quotes a word for a shell. A control character, which a terminal might obey, becomes a space. */
const quote = (word: string) =>
  /^[\w./:,@%+-]+$/.test(word)
    ? word
    : `'${word.replaceAll(/\p{Cc}/gu, ' ').replaceAll("'", String.raw`'\''`)}'`
