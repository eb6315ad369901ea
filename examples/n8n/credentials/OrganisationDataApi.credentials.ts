import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow'

/** The address and the key of a service. */
export class OrganisationDataApi implements ICredentialType {
  name = 'organisationDataApi'
  displayName = 'Organisation Data API'
  documentationUrl = 'https://example.org/n8n-nodes-organisation-data'
  icon: Icon = {
    light: 'file:../icons/organisation-data.svg',
    dark: 'file:../icons/organisation-data.dark.svg',
  }
  properties: INodeProperties[] = [
    {
      displayName: 'Address of the API',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://data.example.org/api/v1',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'A key with the permissions that the workflow needs: read, write, and manage-webhooks for the trigger',
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'x-api-key': '={{$credentials.apiKey}}' } },
  }
  test: ICredentialTestRequest = { request: { baseURL: '={{$credentials.baseUrl}}', url: '/me' } }
}
