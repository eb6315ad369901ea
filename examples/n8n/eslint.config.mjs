import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import { parser } from 'typescript-eslint'

export default [
  { ignores: ['dist'] },
  n8nCommunityNodesPlugin.configs.recommended,
  {
    files: ['**/*.ts', 'package.json'],
    languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
  },
]
