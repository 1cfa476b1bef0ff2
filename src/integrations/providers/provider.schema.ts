import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { featureNames, providerNames } from '../../providers/provider.ts'

export const ProviderWord = { ...StringEnum(providerNames), examples: ['github'] }
export const FeatureWord = { ...StringEnum(featureNames), examples: ['tasks'] }

export const ProviderList = StrictObject({
  providers: Type.Array(
    StrictObject({
      provider: ProviderWord,
      name: Type.String({ examples: ['GitHub'] }),
      configured: Type.Boolean({
        description: 'Whether the tenant or this installation has an OAuth app at the provider.',
        examples: [true],
      }),
      redirectUri: Nullable(
        Type.String({ examples: ['https://atrium.example.com/assistant/v1/integrations/github/callback'] }),
        'The address to register with the OAuth app. Null: this installation has no PUBLIC_URL that providers accept.',
      ),
      features: Type.Array(
        StrictObject({
          name: FeatureWord,
          scopes: Type.Array(Type.String({ examples: ['repo'] }), {
            description: 'What is asked of the user for this feature. Empty: the provider has no scopes.',
          }),
        }),
      ),
    }),
  ),
})
