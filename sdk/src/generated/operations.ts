// Generated from openapi/api.json by `npm run generate`.
import type {
  AccessVerdict,
  AdminKey,
  AdminProductDownload,
  AdminProductVersion,
  AnalyticsEvent,
  AnalyticsOverview,
  AnalyticsTimeseries,
  ApiKey,
  AskAnswer,
  AskLine,
  AuditEntry,
  AuditVerification,
  BlockRecord,
  Bot,
  BotRunner,
  BotVendor,
  BotWithEvents,
  Bundle,
  Collection,
  CollectionHistoryEntry,
  ContentBlock,
  Device,
  DocSection,
  Document,
  DocumentVersion,
  DraftedAnswer,
  DraftedAnswerWithQuotes,
  EmailConfig,
  EmailDigest,
  EmailDkimKey,
  EmailMessage,
  EmailMessageWithText,
  EmailSuppression,
  EmailThread,
  EmailThreadWithMessages,
  EmailTrace,
  EmailVerification,
  Health,
  HomepageSlot,
  InboundConnection,
  InboundDelivery,
  InboundDeliveryWithTimeline,
  Integration,
  IntegrationAction,
  Invitation,
  Job,
  KeptAsk,
  License,
  LicenseUse,
  LicenseVerdict,
  Mail,
  Media,
  MediaWithUses,
  Meeting,
  MeetingWithTranscript,
  MeterTotals,
  MeterUsage,
  NamedVpnSession,
  NewAdminKey,
  NewApiKey,
  NewSignInLink,
  Organization,
  OrganizationMember,
  OwnLimit,
  Page,
  PageLine,
  PageRecord,
  PageRevision,
  PageRevisionLine,
  PlanLimits,
  PlatformOverview,
  PlatformSearchResult,
  Product,
  ProductAnalytics,
  ProductDoc,
  ProductDocLine,
  ProductFeature,
  ProductMedia,
  ProductPlan,
  ProductRecord,
  ProductVersion,
  PublicContentBlock,
  PublicPage,
  PublicPageLine,
  Quota,
  RankedTenant,
  ReceivedInvitation,
  SearchResult,
  SetQuota,
  Setting,
  SettingWarning,
  SignInLink,
  SignedInBrowser,
  SimulatedEmail,
  Slot,
  SlotRecord,
  Summary,
  Task,
  TaskComment,
  TaskHistoryEntry,
  Tenant,
  TenantEmailMessage,
  TenantUsage,
  TenantUsageTotals,
  Tokens,
  TranscriptEntry,
  UnsettledReservation,
  UsageRecount,
  UsageThresholds,
  User,
  VpnServer,
  VpnServerChoice,
  VpnSession,
  VpnUsageDay,
  Warning,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEventType,
} from './schemas.ts'

/** What each operation takes and answers, by its `operationId`. */
export interface Operations {
  getPlatformOverview: {
    input: {}
    output: {
      overview: PlatformOverview
    }
  }
  searchPlatform: {
    input: {
      /** An id, the start of an e-mail address, a part of the name or slug of a tenant, a license key, an API key or the start of one (`atr_Ab3d`), or the id of a request. */
      q: string
    }
    output: {
      /** At most ten of a kind. An exact slug comes first. */
      results: Array<PlatformSearchResult>
    }
  }
  getSettings: {
    input: {}
    output: {
      version: string
      nodeVersion: string
      settings: Array<Setting>
      warnings: Array<SettingWarning>
    }
  }
  health: {
    input: {}
    output: Health
  }
  healthLive: {
    input: {}
    output: {
      status: 'ok'
    }
  }
  listJobs: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** What the job does. */
      kind?: string
      /** `queued`: the job waits to run. `active`: it is running. `failed`: an attempt failed and will be retried. `dead`: it has used all its attempts. */
      state?: 'dead' | 'failed' | 'queued' | 'active'
    }
    output: {
      jobs: Array<Job>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'jobs'
  }
  retryJob: {
    input: {
      jobId: string
    }
    output: {
      job: {
        /** UUIDv7, lower case. */
        id: string
        /** What the job does. */
        kind: string
      }
    }
  }
  retryJobs: {
    input: {
      /** What the job does. */
      kind: string
    }
    output: {
      /** The number of retried jobs: at most 1000 per call, the oldest first. */
      retried: number
    }
  }
  createSnapshot: {
    input: {
      /** The name of an empty folder inside the data folder. The caller creates it. */
      folder: string
    }
    output: {
      snapshot: {
        /** The name of an empty folder inside the data folder. The caller creates it. */
        folder: string
        /** Size of all files. */
        bytes: number
        /** How long the database was paused, in milliseconds. */
        pausedMs: number
      }
    }
  }
  exportBundle: {
    input: {}
    output: Bundle
  }
  importBundle: {
    input: {
      /** Reports the changes without making them. */
      dryRun?: boolean
      /** `merge` keeps records that a part of the bundle does not contain; `mirror` removes them. */
      mode?: 'merge' | 'mirror'
      format: 'atrium.bundle'
      version: 1
      exportedAt?: string
      parts: {
        products?: Array<ProductRecord>
        pages?: Array<PageRecord>
        slots?: Array<SlotRecord>
        blocks?: Array<BlockRecord>
      }
    }
    output: {
      dryRun: boolean
      mode: 'merge' | 'mirror'
      changes: Array<{
        part: string
        /** The key of the record in its part. */
        key: string
        action: 'create' | 'update' | 'keep' | 'remove'
        /** The fields that an update changes. */
        fields: Array<string>
      }>
      counts: {
        create: number
        update: number
        keep: number
        remove: number
      }
    }
  }
  listProducts: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** SDK, API, APP or SERVICE, in any letter case. Separate several with commas. */
      type?: string
      /** COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case. Separate several with commas. */
      status?: string
      /** true: only featured products; false: only the others. */
      featured?: boolean
      /** Text to find in slug, name, tagline, description or tags, in any letter case. */
      q?: string
    }
    output: {
      products: Array<Product>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'products'
  }
  getProduct: {
    input: {
      /** The product’s slug. */
      slug: string
      /** The token of a preview link. It shows drafts too. */
      preview?: string
    }
    output: {
      product: Product
    }
  }
  listAllProducts: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** SDK, API, APP or SERVICE, in any letter case. Separate several with commas. */
      type?: string
      /** COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case. Separate several with commas. */
      status?: string
      /** true: only featured products; false: only the others. */
      featured?: boolean
      /** Text to find in slug, name, tagline, description or tags, in any letter case. */
      q?: string
    }
    output: {
      products: Array<Product>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'products'
  }
  createProduct: {
    input: {
      /** Lower-case letters and digits, with single hyphens between them. */
      slug: string
      name: string
      /** SDK, API, APP or SERVICE, in any letter case. */
      type: string
      /** DRAFT (the default), COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case, with hyphens or spaces. Also development, in-development, dev (COMING_SOON), alpha, preview (BETA), published, active (LIVE), retired, sunset (DEPRECATED). */
      status?: string
      tagline?: string | null
      /** Markdown. */
      description?: string | null
      isFeatured?: boolean
      /** Smaller comes first; 100 if absent. */
      sortOrder?: number | null
      /** The path prefix of its routes. */
      apiPrefix?: string | null
      /** An uploaded picture. */
      iconMediaId?: string | null
      /** An uploaded picture. */
      coverMediaId?: string | null
      tags?: Array<string> | null
      links?: {
        /** An http or https address. */
        website?: string | null
        /** An http or https address. */
        repo?: string | null
        /** An http or https address. */
        support?: string | null
        /** An http or https address. */
        changelog?: string | null
      } | null
      seo?: {
        title?: string | null
        description?: string | null
        /** An uploaded picture. */
        imageId?: string | null
        noindex?: boolean
      } | null
    }
    output: {
      product: Product
    }
  }
  getProductById: {
    input: {
      productId: string
    }
    output: {
      product: Product
    }
  }
  updateProduct: {
    input: {
      productId: string
      ifMatch?: string
      /** Lower-case letters and digits, with single hyphens between them. */
      slug?: string
      name?: string
      /** SDK, API, APP or SERVICE, in any letter case. */
      type?: string
      /** DRAFT (the default), COMING_SOON, BETA, LIVE or DEPRECATED, in any letter case, with hyphens or spaces. Also development, in-development, dev (COMING_SOON), alpha, preview (BETA), published, active (LIVE), retired, sunset (DEPRECATED). */
      status?: string
      /** Allows a move back that is otherwise refused. */
      force?: boolean
      tagline?: string | null
      /** Markdown. */
      description?: string | null
      isFeatured?: boolean
      /** Smaller comes first; 100 if absent. */
      sortOrder?: number | null
      /** The path prefix of its routes. */
      apiPrefix?: string | null
      /** An uploaded picture. */
      iconMediaId?: string | null
      /** An uploaded picture. */
      coverMediaId?: string | null
      tags?: Array<string> | null
      links?: {
        /** An http or https address. */
        website?: string | null
        /** An http or https address. */
        repo?: string | null
        /** An http or https address. */
        support?: string | null
        /** An http or https address. */
        changelog?: string | null
      } | null
      seo?: {
        title?: string | null
        description?: string | null
        /** An uploaded picture. */
        imageId?: string | null
        noindex?: boolean
      } | null
      /** When a DEPRECATED product ends. */
      sunsetAt?: string | null
      /** The slug of the product that replaces a DEPRECATED one. */
      replacedBy?: string | null
    }
    output: {
      product: Product
    }
  }
  deleteProduct: {
    input: {
      productId: string
      ifMatch?: string
    }
    output: undefined
  }
  createProductPreviewLink: {
    input: {
      productId: string
      /** At most 7 days. */
      expiresInSeconds?: number
    }
    output: {
      /** The path of the product with the token in it. */
      url: string
      expiresAt: string
    }
  }
  listProductFeatures: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      features: Array<ProductFeature>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'features'
  }
  createProductFeature: {
    input: {
      productId: string
      title: string
      /** Unique in the product. Made from the title if absent. */
      slug?: string
      description?: string | null
      /** The name of an icon that the pages know. */
      icon?: string | null
      group?: string | null
      isHighlighted?: boolean
      /** Maps the code of a plan to whether it has the feature, or to how much of it. */
      availability?: Record<string, boolean | string> | null
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      feature: ProductFeature
    }
  }
  getProductFeature: {
    input: {
      productId: string
      id: string
    }
    output: {
      feature: ProductFeature
    }
  }
  updateProductFeature: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      title?: string
      /** Unique in the product. Made from the title if absent. */
      slug?: string
      description?: string | null
      /** The name of an icon that the pages know. */
      icon?: string | null
      group?: string | null
      isHighlighted?: boolean
      /** Maps the code of a plan to whether it has the feature, or to how much of it. */
      availability?: Record<string, boolean | string> | null
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      feature: ProductFeature
    }
  }
  deleteProductFeature: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listProductPlans: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      plans: Array<ProductPlan>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'plans'
  }
  createProductPlan: {
    input: {
      productId: string
      /** TRIAL, STARTER, PRO, ENTERPRISE or a word of your own, in any letter case. Unique in the product. */
      code: string
      name: string
      description?: string | null
      /** In hundredths of the currency unit. null: on request. */
      priceCents?: number | null
      /** ISO 4217. Required with a price. */
      currency?: string | null
      /** How often the price is paid. */
      interval?: 'month' | 'year' | 'once' | null
      /** How many uses a license of the plan has. null: unlimited. */
      maxUses?: number | null
      trialDays?: number | null
      /** The lines of the plan in a price table. */
      features?: Array<string> | null
      isPopular?: boolean
      /** The button of the plan. */
      cta?: {
        label: string
        /** An http or https address, or a path that starts with a slash. */
        url: string
      } | null
      /** Only active plans are public. */
      isActive?: boolean
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      plan: ProductPlan
    }
  }
  getProductPlan: {
    input: {
      productId: string
      id: string
    }
    output: {
      plan: ProductPlan
    }
  }
  updateProductPlan: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      /** TRIAL, STARTER, PRO, ENTERPRISE or a word of your own, in any letter case. Unique in the product. */
      code?: string
      name?: string
      description?: string | null
      /** In hundredths of the currency unit. null: on request. */
      priceCents?: number | null
      /** ISO 4217. Required with a price. */
      currency?: string | null
      /** How often the price is paid. */
      interval?: 'month' | 'year' | 'once' | null
      /** How many uses a license of the plan has. null: unlimited. */
      maxUses?: number | null
      trialDays?: number | null
      /** The lines of the plan in a price table. */
      features?: Array<string> | null
      isPopular?: boolean
      /** The button of the plan. */
      cta?: {
        label: string
        /** An http or https address, or a path that starts with a slash. */
        url: string
      } | null
      /** Only active plans are public. */
      isActive?: boolean
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      plan: ProductPlan
    }
  }
  deleteProductPlan: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listProductMedia: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      media: Array<ProductMedia>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'media'
  }
  createProductMedia: {
    input: {
      productId: string
      kind: 'SCREENSHOT' | 'VIDEO' | 'LOGO' | 'COVER' | 'DIAGRAM'
      /** An uploaded file. Exactly one of `mediaId` and `url` is required. */
      mediaId?: string | null
      /** An http or https address. */
      url?: string | null
      /** Alternative text. Required unless `kind` is VIDEO. */
      alt?: string | null
      caption?: string | null
      /** An uploaded picture to show before a VIDEO plays. */
      posterMediaId?: string | null
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      media: ProductMedia
    }
  }
  getProductMedia: {
    input: {
      productId: string
      id: string
    }
    output: {
      media: ProductMedia
    }
  }
  updateProductMedia: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      kind?: 'SCREENSHOT' | 'VIDEO' | 'LOGO' | 'COVER' | 'DIAGRAM'
      /** An uploaded file. Exactly one of `mediaId` and `url` is required. */
      mediaId?: string | null
      /** An http or https address. */
      url?: string | null
      /** Alternative text. Required unless `kind` is VIDEO. */
      alt?: string | null
      caption?: string | null
      /** An uploaded picture to show before a VIDEO plays. */
      posterMediaId?: string | null
      /** The position in the list, from 0. A position past the end means the end. */
      order?: number
    }
    output: {
      media: ProductMedia
    }
  }
  deleteProductMedia: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listDocs: {
    input: {
      /** The product’s slug. */
      slug: string
      /** Searches for words, `"phrases"`, `or` and `-not`. The last word may be incomplete. Adds `results` to the answer. */
      q?: string
    }
    output: {
      product: {
        slug: string
        name: string
      }
      sections: Array<{
        slug: string
        title: string
        /** Smaller comes first; 100 if absent. */
        order: number
        /** The slug of the section that contains it. */
        parent: string | null
        docs: Array<{
          /** Lower-case letters, digits and single hyphens. Unique in the product. */
          slug: string
          title: string
          /** Plain text for lists. */
          summary: string | null
          /** Smaller comes first; 100 if absent. */
          order: number
          updatedAt: string
        }>
      }>
      /** All docs in reading order. */
      docs: Array<{
        /** Lower-case letters, digits and single hyphens. Unique in the product. */
        slug: string
        title: string
        /** Plain text for lists. */
        summary: string | null
        /** Smaller comes first; 100 if absent. */
        order: number
        updatedAt: string
        /** The slug of its section. */
        section: string | null
      }>
      /** At most 20, best first; only with `q`. */
      results?: Array<{
        /** Lower-case letters, digits and single hyphens. Unique in the product. */
        slug: string
        title: string
        /** HTML: escaped text with `<mark>` around the words found, and no other tags. */
        snippet: string
        /** The heading above it. null: there is none. */
        anchor: string | null
        /** Larger is better. Comparable only within one answer. */
        score: number
      }>
    }
  }
  getDoc: {
    input: {
      /** The product’s slug. */
      slug: string
      /** The doc’s slug. With `.md` at the end, the answer is Markdown. */
      docSlug: string
    }
    output: {
      doc: {
        /** Lower-case letters, digits and single hyphens. Unique in the product. */
        slug: string
        title: string
        /** Plain text for lists. */
        summary: string | null
        /** null: the doc comes before all sections. */
        section: {
          slug: string
          title: string
        } | null
        /** CommonMark with tables and strikethrough. HTML in it is shown as text. */
        markdown: string
        /** The Markdown as sanitized HTML, safe to embed in any page. */
        html: string
        toc: Array<{
          /** The heading’s `id` in the HTML. */
          id: string
          text: string
          level: number
        }>
        /** The previous doc. null: this is the first. */
        prev: {
          slug: string
          title: string
        } | null
        /** The next doc. null: this is the last. */
        next: {
          slug: string
          title: string
        } | null
        /** At 200 words a minute, at least 1. */
        readingMinutes: number
        seo: {
          title: string | null
          description: string | null
          noindex: boolean
        }
        updatedAt: string
      }
    } | string
  }
  exportDocs: {
    input: {
      /** The product’s slug. */
      slug: string
    }
    output: string
  }
  listDocSections: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      docSections: Array<DocSection>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'docSections'
  }
  createDocSection: {
    input: {
      productId: string
      /** Lower-case letters, digits and single hyphens. Unique in the product. */
      slug: string
      title: string
      /** Smaller comes first; 100 if absent. */
      order?: number
      /** The section that contains this one. null: a top-level section. */
      parentId?: string | null
    }
    output: {
      docSection: DocSection
    }
  }
  getDocSection: {
    input: {
      productId: string
      id: string
    }
    output: {
      docSection: DocSection
    }
  }
  updateDocSection: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      /** Lower-case letters, digits and single hyphens. Unique in the product. */
      slug?: string
      title?: string
      /** Smaller comes first; 100 if absent. */
      order?: number
      /** The section that contains this one. null: a top-level section. */
      parentId?: string | null
    }
    output: {
      docSection: DocSection
    }
  }
  deleteDocSection: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listProductDocs: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      docs: Array<ProductDocLine>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'docs'
  }
  createProductDoc: {
    input: {
      productId: string
      /** Lower-case letters, digits and single hyphens. Unique in the product. */
      slug: string
      title: string
      /** CommonMark with tables and strikethrough. HTML in it is shown as text. */
      markdown: string
      /** Plain text for lists. */
      summary?: string | null
      /** null: the doc comes before all sections. */
      sectionId?: string | null
      /** Smaller comes first; 100 if absent. */
      order?: number
      /** A DRAFT is not public. */
      status?: 'DRAFT' | 'PUBLISHED'
      seo?: {
        title?: string | null
        description?: string | null
        noindex?: boolean
      }
    }
    output: {
      doc: ProductDoc
    }
  }
  getProductDoc: {
    input: {
      productId: string
      id: string
    }
    output: {
      doc: ProductDoc
    }
  }
  updateProductDoc: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      /** Lower-case letters, digits and single hyphens. Unique in the product. */
      slug?: string
      title?: string
      /** CommonMark with tables and strikethrough. HTML in it is shown as text. */
      markdown?: string
      /** Plain text for lists. */
      summary?: string | null
      /** null: the doc comes before all sections. */
      sectionId?: string | null
      /** Smaller comes first; 100 if absent. */
      order?: number
      /** A DRAFT is not public. */
      status?: 'DRAFT' | 'PUBLISHED'
      seo?: {
        title?: string | null
        description?: string | null
        noindex?: boolean
      }
    }
    output: {
      doc: ProductDoc
    }
  }
  deleteProductDoc: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listVersions: {
    input: {
      /** The product’s slug. */
      slug: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
      channel?: 'stable' | 'beta' | 'nightly'
    }
    output: {
      versions: Array<ProductVersion>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'versions'
  }
  listProductVersions: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      versions: Array<AdminProductVersion>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'versions'
  }
  createProductVersion: {
    input: {
      productId: string
      /** A semantic version (semver.org). Unique in the product. */
      version: string
      /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
      channel?: 'stable' | 'beta' | 'nightly'
      releasedAt?: string
      /** Markdown. */
      notes?: string | null
      breaking?: boolean
      /** Minimum requirements by name. */
      minRequirements?: Record<string, string>
    }
    output: {
      version: AdminProductVersion
    }
  }
  getProductVersion: {
    input: {
      productId: string
      id: string
    }
    output: {
      version: AdminProductVersion
    }
  }
  updateProductVersion: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      /** A semantic version (semver.org). Unique in the product. */
      version?: string
      /** If absent: stable for a release, nightly for a prerelease named nightly, dev, canary or snapshot, beta for other prereleases. */
      channel?: 'stable' | 'beta' | 'nightly'
      releasedAt?: string
      /** Markdown. */
      notes?: string | null
      breaking?: boolean
      /** Minimum requirements by name. */
      minRequirements?: Record<string, string>
      /** true withdraws the version: it is never the latest, and its downloads answer 404. */
      yanked?: boolean
      /** Why it was yanked. */
      yankReason?: string | null
    }
    output: {
      version: AdminProductVersion
    }
  }
  deleteProductVersion: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  download: {
    input: {
      /** The product’s slug. */
      slug: string
      id: string
      /** For clients that cannot send a header. Prefer the header `X-License-Key`, which keeps the key out of URLs. */
      licenseKey?: string
    }
    output: unknown
  }
  listProductDownloads: {
    input: {
      productId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      downloads: Array<AdminProductDownload>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'downloads'
  }
  createProductDownload: {
    input: {
      productId: string
      /** The version it belongs to, or null. Downloads of a yanked version answer 404. */
      versionId?: string | null
      kind: 'SDK' | 'DESKTOP' | 'MOBILE' | 'CLI' | 'DOC' | 'OTHER'
      /** any if absent. */
      platform?: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'web' | 'any'
      /** any if absent. */
      arch?: 'x64' | 'arm64' | 'universal' | 'any'
      /** Taken from the uploaded file if absent. */
      fileName?: string | null
      /** Taken from the uploaded file if absent. */
      sizeBytes?: number | null
      /** Lower-case hex. Taken from the uploaded file if absent. */
      sha256?: string | null
      /** The publisher’s signature, as text. */
      signature?: string | null
      /** An uploaded file. Cannot be combined with `externalUrl`. */
      mediaId?: string | null
      /** An https address. Cannot be combined with `mediaId`. */
      externalUrl?: string | null
      packageManager?: string | null
      installCommand?: string | null
      /** Whether the download requires a license key of the product. */
      requiresLicense?: boolean
      /** false hides it from the public. */
      isActive?: boolean
      /** Smaller comes first; 100 if absent. */
      order?: number
    }
    output: {
      download: AdminProductDownload
    }
  }
  getProductDownload: {
    input: {
      productId: string
      id: string
    }
    output: {
      download: AdminProductDownload
    }
  }
  updateProductDownload: {
    input: {
      productId: string
      id: string
      ifMatch?: string
      /** The version it belongs to, or null. Downloads of a yanked version answer 404. */
      versionId?: string | null
      kind?: 'SDK' | 'DESKTOP' | 'MOBILE' | 'CLI' | 'DOC' | 'OTHER'
      /** any if absent. */
      platform?: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'web' | 'any'
      /** any if absent. */
      arch?: 'x64' | 'arm64' | 'universal' | 'any'
      /** Taken from the uploaded file if absent. */
      fileName?: string | null
      /** Taken from the uploaded file if absent. */
      sizeBytes?: number | null
      /** Lower-case hex. Taken from the uploaded file if absent. */
      sha256?: string | null
      /** The publisher’s signature, as text. */
      signature?: string | null
      /** An uploaded file. Cannot be combined with `externalUrl`. */
      mediaId?: string | null
      /** An https address. Cannot be combined with `mediaId`. */
      externalUrl?: string | null
      packageManager?: string | null
      installCommand?: string | null
      /** Whether the download requires a license key of the product. */
      requiresLicense?: boolean
      /** false hides it from the public. */
      isActive?: boolean
      /** Smaller comes first; 100 if absent. */
      order?: number
    }
    output: {
      download: AdminProductDownload
    }
  }
  deleteProductDownload: {
    input: {
      productId: string
      id: string
      ifMatch?: string
    }
    output: undefined
  }
  listPublicPages: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Include the sections of each page. */
      full?: boolean
    }
    output: {
      pages: Array<PublicPageLine>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'pages'
  }
  getPublicPage: {
    input: {
      /** The page’s slug. */
      slug: string
      /** Include the products that sections show. */
      resolve?: 'products'
      /** The token of a preview link. */
      preview?: string
    }
    output: {
      page: PublicPage
    }
  }
  createPage: {
    input: {
      /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
      slug: string
      title: string
      sections?: Array<{
        /** Created when absent. */
        id?: string
        /** Known types and the rules for their content: `hero` (heading), `features` (items), `rich_text` (markdown), `image` (mediaId or url), `gallery` (items), `video` (mediaId or url), `cta` (heading), `banner` (text), `pricing` (productSlug or plans), `product_grid` (slugs), `faq` (items), `testimonials` (items), `stats` (items), `logos` (items), `steps` (items), `code` (code), `html` (html). Other types are stored as sent, and the answer lists them in `warnings`; a name that is almost a known type is refused. */
        type: string
        content?: Record<string, unknown>
        /** Any numbers; answers count from 0. Default: the position in the array. */
        order?: number
      }>
      /** Absent members are kept; null clears a member. */
      meta?: {
        title?: string | null
        description?: string | null
        /** An address or the id of an uploaded file. */
        ogImage?: string | null
        canonical?: string | null
        noindex?: boolean | null
        keywords?: Array<string> | null
      }
      /** A word for the client, for example which layout to use. */
      template?: string | null
      locale?: string
      /** Only a PUBLISHED page is public. */
      status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
      /** When the page or its draft will be published automatically; null for never. */
      publishAt?: string | null
      /** When the page will be unpublished automatically; null for never. */
      unpublishAt?: string | null
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  listPages: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Only a PUBLISHED page is public. */
      status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
      template?: string
      /** Text to find in the slug or title. */
      q?: string
    }
    output: {
      pages: Array<PageLine>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'pages'
  }
  getPage: {
    input: {
      pageId: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  savePage: {
    input: {
      pageId: string
      /** Change the draft instead of the page. The public does not see it. */
      draft?: boolean
      ifMatch?: string
      /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
      slug?: string
      title?: string
      sections?: Array<{
        /** Created when absent. */
        id?: string
        /** Known types and the rules for their content: `hero` (heading), `features` (items), `rich_text` (markdown), `image` (mediaId or url), `gallery` (items), `video` (mediaId or url), `cta` (heading), `banner` (text), `pricing` (productSlug or plans), `product_grid` (slugs), `faq` (items), `testimonials` (items), `stats` (items), `logos` (items), `steps` (items), `code` (code), `html` (html). Other types are stored as sent, and the answer lists them in `warnings`; a name that is almost a known type is refused. */
        type: string
        content?: Record<string, unknown>
        /** Any numbers; answers count from 0. Default: the position in the array. */
        order?: number
      }>
      /** Absent members are kept; null clears a member. */
      meta?: {
        title?: string | null
        description?: string | null
        /** An address or the id of an uploaded file. */
        ogImage?: string | null
        canonical?: string | null
        noindex?: boolean | null
        keywords?: Array<string> | null
      }
      /** A word for the client, for example which layout to use. */
      template?: string | null
      locale?: string
      /** Only a PUBLISHED page is public. */
      status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
      /** When the page or its draft will be published automatically; null for never. */
      publishAt?: string | null
      /** When the page will be unpublished automatically; null for never. */
      unpublishAt?: string | null
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  patchPage: {
    input: {
      pageId: string
      /** Change the draft instead of the page. The public does not see it. */
      draft?: boolean
      ifMatch?: string
      /** Segments of `a-z`, `0-9` and `-`, joined by `/`. Unique. */
      slug?: string
      title?: string
      sections?: Array<{
        /** Created when absent. */
        id?: string
        /** Known types and the rules for their content: `hero` (heading), `features` (items), `rich_text` (markdown), `image` (mediaId or url), `gallery` (items), `video` (mediaId or url), `cta` (heading), `banner` (text), `pricing` (productSlug or plans), `product_grid` (slugs), `faq` (items), `testimonials` (items), `stats` (items), `logos` (items), `steps` (items), `code` (code), `html` (html). Other types are stored as sent, and the answer lists them in `warnings`; a name that is almost a known type is refused. */
        type: string
        content?: Record<string, unknown>
        /** Any numbers; answers count from 0. Default: the position in the array. */
        order?: number
      }>
      /** Absent members are kept; null clears a member. */
      meta?: {
        title?: string | null
        description?: string | null
        /** An address or the id of an uploaded file. */
        ogImage?: string | null
        canonical?: string | null
        noindex?: boolean | null
        keywords?: Array<string> | null
      }
      /** A word for the client, for example which layout to use. */
      template?: string | null
      locale?: string
      /** Only a PUBLISHED page is public. */
      status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'
      /** When the page or its draft will be published automatically; null for never. */
      publishAt?: string | null
      /** When the page will be unpublished automatically; null for never. */
      unpublishAt?: string | null
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  deletePage: {
    input: {
      pageId: string
      ifMatch?: string
    }
    output: undefined
  }
  publishPage: {
    input: {
      pageId: string
      ifMatch?: string
      /** A time in the future to publish at. Null or absent: now. */
      publishAt?: string | null
      /** When the page will be unpublished automatically; null for never. */
      unpublishAt?: string | null
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  unpublishPage: {
    input: {
      pageId: string
      ifMatch?: string
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  archivePage: {
    input: {
      pageId: string
      ifMatch?: string
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  discardPageDraft: {
    input: {
      pageId: string
      ifMatch?: string
    }
    output: undefined
  }
  createPagePreviewLink: {
    input: {
      pageId: string
      expiresInSeconds?: number
    }
    output: {
      url: string
      expiresAt: string
    }
  }
  listPageRevisions: {
    input: {
      pageId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      revisions: Array<PageRevisionLine>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'revisions'
  }
  getPageRevision: {
    input: {
      pageId: string
      /** The number of the revision. */
      number: string
    }
    output: {
      revision: PageRevision
    }
  }
  diffPageRevision: {
    input: {
      pageId: string
      /** The number of the revision. */
      number: string
      /** The number of another revision, `current` for the page, or `draft` for its draft. */
      against?: string
    }
    output: {
      from: number
      to: string
      /** A JSON Patch (RFC 6902) that turns the revision into the other state. */
      patch: Array<{
        op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
        path: string
      }>
    }
  }
  restorePageRevision: {
    input: {
      pageId: string
      /** The number of the revision. */
      number: string
      /** Change the draft instead of the page. The public does not see it. */
      draft?: boolean
      ifMatch?: string
      /** The reason for the change, shown in the revisions. */
      note?: string
    }
    output: {
      page: Page
      /** What is allowed, but may be a mistake. */
      warnings: Array<Warning>
    }
  }
  getHomepage: {
    input: {}
    output: {
      /** All kinds, including empty ones. */
      slots: {
        HERO_SLIDE: Array<HomepageSlot>
        FEATURED_BANNER: Array<HomepageSlot>
        LOGO_STRIP: Array<HomepageSlot>
        PRODUCT_SPOTLIGHT: Array<HomepageSlot>
        ANNOUNCEMENT_BAR: Array<HomepageSlot>
        TESTIMONIAL: Array<HomepageSlot>
        STAT_STRIP: Array<HomepageSlot>
        CTA_BLOCK: Array<HomepageSlot>
        FOOTER_LINKS: Array<HomepageSlot>
      }
    }
  }
  listSlots: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** One of HERO_SLIDE, FEATURED_BANNER, LOGO_STRIP, PRODUCT_SPOTLIGHT, ANNOUNCEMENT_BAR, TESTIMONIAL, STAT_STRIP, CTA_BLOCK, FOOTER_LINKS, in any case. */
      kind?: string
      /** Only active or only inactive slots. */
      isActive?: boolean
    }
    output: {
      slots: Array<Slot>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'slots'
  }
  createSlot: {
    input: {
      /** One of HERO_SLIDE, FEATURED_BANNER, LOGO_STRIP, PRODUCT_SPOTLIGHT, ANNOUNCEMENT_BAR, TESTIMONIAL, STAT_STRIP, CTA_BLOCK, FOOTER_LINKS, in any case. */
      kind: string
      /** Identifies the slot in bundles. Derived from the kind when absent. */
      slug?: string
      title?: string | null
      subtitle?: string | null
      /** Markdown. */
      body?: string | null
      /** The link of the slot. */
      href?: string | null
      /** The text of the button. */
      ctaLabel?: string | null
      /** The product to show. */
      productSlug?: string | null
      /** Only for FOOTER_LINKS. */
      links?: Array<{
        label: string
        /** A path, or an address that starts with https:, http: or mailto:. */
        href: string
      }>
      /** Position within its kind. */
      order?: number
      /** Whether the slot can be shown. */
      isActive?: boolean
      /** Shown from this time on; null for no start. */
      startsAt?: string | null
      /** Shown until this time; null for no end. */
      endsAt?: string | null
      /** An uploaded file. */
      mediaId?: string | null
    }
    output: {
      slot: Slot
    }
  }
  getSlot: {
    input: {
      slotId: string
    }
    output: {
      slot: Slot
    }
  }
  updateSlot: {
    input: {
      slotId: string
      ifMatch?: string
      title?: string | null
      subtitle?: string | null
      /** Markdown. */
      body?: string | null
      /** The link of the slot. */
      href?: string | null
      /** The text of the button. */
      ctaLabel?: string | null
      /** The product to show. */
      productSlug?: string | null
      /** Only for FOOTER_LINKS. */
      links?: Array<{
        label: string
        /** A path, or an address that starts with https:, http: or mailto:. */
        href: string
      }>
      /** Position within its kind. */
      order?: number
      /** Whether the slot can be shown. */
      isActive?: boolean
      /** Shown from this time on; null for no start. */
      startsAt?: string | null
      /** Shown until this time; null for no end. */
      endsAt?: string | null
      /** An uploaded file. */
      mediaId?: string | null
    }
    output: {
      slot: Slot
    }
  }
  deleteSlot: {
    input: {
      slotId: string
      ifMatch?: string
    }
    output: undefined
  }
  orderSlots: {
    input: {
      /** One of HERO_SLIDE, FEATURED_BANNER, LOGO_STRIP, PRODUCT_SPOTLIGHT, ANNOUNCEMENT_BAR, TESTIMONIAL, STAT_STRIP, CTA_BLOCK, FOOTER_LINKS, in any case. */
      kind: string
      /** The slots of the kind in their new order. Slots that are not listed follow in their old order. */
      ids: Array<string>
    }
    output: {
      slots: Array<Slot>
    }
  }
  listPublicBlocks: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Only these keys, separated by commas; at most 100. */
      keys?: string
      /** A language tag (BCP 47), in any case. Default: en. */
      locale?: string
    }
    output: {
      blocks: Array<PublicContentBlock>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'blocks'
  }
  getPublicBlock: {
    input: {
      /** Lower-case letters, digits, dots, hyphens and underscores. */
      key: string
      /** A language tag (BCP 47), in any case. Default: en. */
      locale?: string
    }
    output: {
      block: PublicContentBlock
    }
  }
  listBlocks: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Text to find in the key or the description. */
      q?: string
      /** The start of the key. */
      prefix?: string
      /** A language tag (BCP 47), in any case. Default: en. */
      locale?: string
      /** The type of the value. */
      type?: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
    }
    output: {
      blocks: Array<ContentBlock>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'blocks'
  }
  createBlock: {
    input: {
      /** Lower-case letters, digits, dots, hyphens and underscores. */
      key: string
      /** A language tag (BCP 47), in any case. Default: en. */
      locale?: string
      /** The type of the value. */
      type: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
      /** A value of the block’s type: a string for text, markdown and url; anything for json. */
      value: unknown
      /** A note for editors. */
      description?: string | null
    }
    output: {
      block: ContentBlock
    }
  }
  getBlock: {
    input: {
      blockId: string
    }
    output: {
      block: ContentBlock
    }
  }
  updateBlock: {
    input: {
      blockId: string
      ifMatch?: string
      /** The type of the value. */
      type?: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
      /** A value of the block’s type: a string for text, markdown and url; anything for json. */
      value?: unknown
      /** A note for editors. */
      description?: string | null
    }
    output: {
      block: ContentBlock
    }
  }
  deleteBlock: {
    input: {
      blockId: string
      ifMatch?: string
    }
    output: undefined
  }
  putBlock: {
    input: {
      /** Lower-case letters, digits, dots, hyphens and underscores. */
      key: string
      /** A language tag (BCP 47), in any case. Default: en. */
      locale?: string
      ifMatch?: string
      /** The type of the value. */
      type: 'text' | 'markdown' | 'json' | 'url' | 'boolean' | 'number'
      /** A value of the block’s type: a string for text, markdown and url; anything for json. */
      value: unknown
      /** A note for editors. */
      description?: string | null
    }
    output: {
      block: ContentBlock
    }
  }
  uploadMedia: {
    input: {
      file: Blob
      alt?: string
      title?: string
      caption?: string
      /** A folder path in lower case. */
      folder?: string
      tags?: Array<string>
      /** Per cent from the left. Default: 50. */
      focalX?: number
      /** Per cent from the top. Default: 50. */
      focalY?: number
    }
    output: {
      media: Media
      /** For several files: all of them, in the order sent. */
      items?: Array<Media>
      /** true: all files were uploaded before. */
      duplicate?: boolean
    }
  }
  listMedia: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Text to find in names, texts and tags, in any case. */
      q?: string
      kind?: 'image' | 'video' | 'audio' | 'document' | 'archive' | 'binary'
      /** A folder path in lower case. */
      folder?: string
      /** true: only unused files. false: only files in use. */
      unused?: boolean
    }
    output: {
      media: Array<Media>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'media'
  }
  getMedia: {
    input: {
      mediaId: string
    }
    output: {
      media: MediaWithUses
    }
  }
  updateMedia: {
    input: {
      mediaId: string
      ifMatch?: string
      /** Text for people who cannot see the image. */
      alt?: string | null
      title?: string | null
      caption?: string | null
      /** A folder path in lower case. */
      folder?: string | null
      tags?: Array<string>
      /** Per cent from the left. Default: 50. */
      focalX?: number
      /** Per cent from the top. Default: 50. */
      focalY?: number
    }
    output: {
      media: Media
    }
  }
  deleteMedia: {
    input: {
      mediaId: string
      ifMatch?: string
    }
    output: undefined
  }
  getMediaFile: {
    input: {
      /** The start of the SHA-256 of the bytes. */
      hash: string
      name: string
    }
    output: Blob
  }
  getAnalyticsOverview: {
    input: {
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
    }
    output: {
      overview: AnalyticsOverview
    }
  }
  getProductAnalytics: {
    input: {
      productId: string
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
    }
    output: {
      product: ProductAnalytics
    }
  }
  getAnalyticsTimeseries: {
    input: {
      /** `views`, `raw`, `bots` and `uniques` cover products, pages and docs. */
      metric: 'views' | 'raw' | 'bots' | 'uniques' | 'productViews' | 'pageViews' | 'docViews' | 'downloads' | 'searches' | 'clicks'
      /** Weeks start on Monday. Default: `day`. */
      interval?: 'day' | 'week' | 'month'
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
      productId?: string
      /** The slug of one page or doc. */
      pageSlug?: string
      /** Wins over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      timeseries: AnalyticsTimeseries
    } | string
  }
  listAnalyticsEvents: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
      type?: 'product.view' | 'page.view' | 'doc.view' | 'sdk.download' | 'search' | 'cta.click'
      productId?: string
      /** Wins over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      events: Array<AnalyticsEvent>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    } | string
    list: 'events'
  }
  createTenant: {
    input: {
      name: string
      /** Lower-case letters, digits and inner hyphens. Unique, and never changes. */
      slug: string
      /** Stored trimmed and in lower case. */
      contactEmail: string
      /** Absent members keep their value, which for a new tenant is the default of the installation. A null member removes the limit. */
      limits?: {
        /** The number of users. Null: no limit. */
        maxUsers?: number | null
        /** The number of active API keys. Null: no limit. */
        maxApiKeys?: number | null
        /** The number of VPN devices that are not revoked. Null: no limit. */
        maxDevices?: number | null
        /** The same per user. Null: no limit. */
        maxDevicesPerUser?: number | null
        /** The number of open VPN sessions. Null: no limit. */
        maxActiveSessions?: number | null
        /** The number of meetings. Null: no limit. */
        maxMeetings?: number | null
        /** The number of organizations. Null: no limit. */
        maxOrgs?: number | null
        /** The number of members of each organization. Null: no limit. */
        maxOrgMembers?: number | null
        /** The number of tasks of each organization. Null: no limit. */
        maxTasks?: number | null
        /** The number of documents, without those that could not be read. Null: no limit. */
        maxDocuments?: number | null
        /** The number of integrations with other services. Null: no limit. */
        maxIntegrations?: number | null
        /** Bots that are scheduled, on their way or in meetings. Null: no limit. */
        maxLiveBots?: number | null
        /** Mails of conversations that are sent in a day (UTC). Null: no limit. */
        maxMailsPerDay?: number | null
        /** The bytes of stored mails and documents, as they were received, and of their texts. Null: no limit. */
        maxStorageBytes?: number | null
        /** Requests per caller in a rate limit window. Null: the default of the server. */
        requestsPerWindow?: number | null
      } | null
      /** Slugs of the products that the users of the tenant may use. Absent in a new tenant, or null: the products of its API keys; each new key adds its own. A list replaces that: then new keys add nothing. */
      products?: Array<string> | null
      /** Absent members keep their value. Null clears them. */
      whitelabelConfig?: {
        displayName?: string | null
        /** An https URL. */
        logoUrl?: string | null
        /** An https URL. */
        faviconUrl?: string | null
        primaryColor?: string | null
        supportEmail?: string | null
        /** An https URL. */
        supportUrl?: string | null
        /** A host name in lower case. */
        customDomain?: string | null
        emailFromName?: string | null
      } | null
    }
    output: {
      tenant: Tenant
    }
  }
  listTenants: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'ACTIVE' | 'SUSPENDED'
      /** A part of the name or slug. Upper and lower case are equal. */
      q?: string
    }
    output: {
      tenants: Array<Tenant>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'tenants'
  }
  getTenant: {
    input: {
      tenantId: string
    }
    output: {
      tenant: Tenant
    }
  }
  updateTenant: {
    input: {
      tenantId: string
      name?: string
      /** Stored trimmed and in lower case. */
      contactEmail?: string
      /** SUSPENDED: keys and users of the tenant are refused from the next request on. */
      status?: 'ACTIVE' | 'SUSPENDED'
      /** Absent members keep their value, which for a new tenant is the default of the installation. A null member removes the limit. */
      limits?: {
        /** The number of users. Null: no limit. */
        maxUsers?: number | null
        /** The number of active API keys. Null: no limit. */
        maxApiKeys?: number | null
        /** The number of VPN devices that are not revoked. Null: no limit. */
        maxDevices?: number | null
        /** The same per user. Null: no limit. */
        maxDevicesPerUser?: number | null
        /** The number of open VPN sessions. Null: no limit. */
        maxActiveSessions?: number | null
        /** The number of meetings. Null: no limit. */
        maxMeetings?: number | null
        /** The number of organizations. Null: no limit. */
        maxOrgs?: number | null
        /** The number of members of each organization. Null: no limit. */
        maxOrgMembers?: number | null
        /** The number of tasks of each organization. Null: no limit. */
        maxTasks?: number | null
        /** The number of documents, without those that could not be read. Null: no limit. */
        maxDocuments?: number | null
        /** The number of integrations with other services. Null: no limit. */
        maxIntegrations?: number | null
        /** Bots that are scheduled, on their way or in meetings. Null: no limit. */
        maxLiveBots?: number | null
        /** Mails of conversations that are sent in a day (UTC). Null: no limit. */
        maxMailsPerDay?: number | null
        /** The bytes of stored mails and documents, as they were received, and of their texts. Null: no limit. */
        maxStorageBytes?: number | null
        /** Requests per caller in a rate limit window. Null: the default of the server. */
        requestsPerWindow?: number | null
      } | null
      /** Slugs of the products that the users of the tenant may use. Absent in a new tenant, or null: the products of its API keys; each new key adds its own. A list replaces that: then new keys add nothing. */
      products?: Array<string> | null
      /** Absent members keep their value. Null clears them. */
      whitelabelConfig?: {
        displayName?: string | null
        /** An https URL. */
        logoUrl?: string | null
        /** An https URL. */
        faviconUrl?: string | null
        primaryColor?: string | null
        supportEmail?: string | null
        /** An https URL. */
        supportUrl?: string | null
        /** A host name in lower case. */
        customDomain?: string | null
        emailFromName?: string | null
      } | null
    }
    output: {
      tenant: Tenant
    }
  }
  deleteTenant: {
    input: {
      tenantId: string
      /** The slug of the tenant, as confirmation. */
      confirm: string
    }
    output: undefined
  }
  exportTenant: {
    input: {
      tenantId: string
    }
    output: Blob
  }
  eraseTenant: {
    input: {
      tenantId: string
      /** The slug of the tenant, as confirmation. */
      confirm: string
    }
    output: {
      /** The number of deleted rows per table. */
      erased: Record<string, number>
    }
  }
  createApiKey: {
    input: {
      tenantId: string
      name: string
      /** The slugs of the products that the key may be used with. */
      products: Array<string>
      /** A time in the future. Null or absent: never. */
      expiresAt?: string | null
    }
    output: {
      apiKey: NewApiKey
    }
  }
  listApiKeys: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
    }
    output: {
      apiKeys: Array<ApiKey>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'apiKeys'
  }
  getApiKey: {
    input: {
      tenantId: string
      keyId: string
    }
    output: {
      apiKey: ApiKey
    }
  }
  revokeApiKey: {
    input: {
      tenantId: string
      keyId: string
    }
    output: undefined
  }
  rotateApiKey: {
    input: {
      tenantId: string
      keyId: string
      /** How long the old key stays valid. */
      overlapSeconds?: number
    }
    output: {
      apiKey: NewApiKey
    }
  }
  finishApiKeyRotation: {
    input: {
      tenantId: string
      keyId: string
      /** End the old key even if it was used in the last 15 minutes. */
      force?: boolean
    }
    output: {
      apiKey: ApiKey
    }
  }
  createAdminKey: {
    input: {
      name: string
      /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
      role: 'OWNER' | 'EDITOR' | 'VIEWER'
      /** A time in the future. Null or absent: never. */
      expiresAt?: string | null
    }
    output: {
      adminKey: NewAdminKey
    }
  }
  listAdminKeys: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
    }
    output: {
      adminKeys: Array<AdminKey>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'adminKeys'
  }
  updateAdminKey: {
    input: {
      keyId: string
      name?: string
    }
    output: {
      adminKey: AdminKey
    }
  }
  revokeAdminKey: {
    input: {
      keyId: string
    }
    output: undefined
  }
  getAdminKey: {
    input: {
      keyId: string
    }
    output: {
      adminKey: AdminKey
    }
  }
  rotateAdminKey: {
    input: {
      keyId: string
      /** How long the old key stays valid. */
      overlapSeconds?: number
    }
    output: {
      adminKey: NewAdminKey
    }
  }
  listAuditLogs: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Changes in this tenant. */
      tenantId?: string
      /** Changes by this key or user. */
      actorId?: string
      /** An action, or its first part: `tenant` finds `tenant.create`. */
      action?: string
      /** Changes of this object. */
      targetId?: string
      outcome?: 'ALLOWED' | 'DENIED'
      /** Changes by this request (`X-Request-Id`). */
      requestId?: string
      /** At or after this time. */
      from?: string
      /** Before this time. */
      to?: string
      /** Takes precedence over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      auditLogs: Array<AuditEntry>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    } | string
    list: 'auditLogs'
  }
  verifyAuditLog: {
    input: {
      /** Where to continue: the `nextSeq` of the previous answer. */
      fromSeq?: number
      /** The `head` of an earlier answer. Verifies that the log still contains it. */
      checkpoint?: {
        seq: number
        hash: string
      }
    }
    output: AuditVerification
  }
  checkAccess: {
    input: {
      /** The id of an API key. Send either this or `apiKey`. */
      keyId?: string
      /** The key itself, if you do not know its id. */
      apiKey?: string
      /** The slug of a product. */
      product?: string
      licenseKey?: string
      /** The id of a license, instead of its key. */
      licenseId?: string
      userId?: string
    }
    output: AccessVerdict
  }
  register: {
    input: {
      /** At most 254 characters. Upper and lower case are equal. */
      email: string
      /** 8 to 128 characters of any kind. Common passwords and your e-mail name are rejected. */
      password: string
      /** The name as the person writes it. */
      name?: string | null
    }
    output: Tokens
  }
  login: {
    input: {
      /** At most 254 characters. Upper and lower case are equal. */
      email: string
      password: string
    }
    output: Tokens
  }
  refresh: {
    input: {
      refreshToken: string
    }
    output: Tokens
  }
  logout: {
    input: {
      /** Also end all other sessions of the user. */
      all?: boolean
    }
    output: undefined
  }
  getMe: {
    input: {}
    output: {
      user: User
    }
  }
  updateMe: {
    input: {
      /** The name as the person writes it. */
      name?: string | null
      /** At most 254 characters. Upper and lower case are equal. */
      email?: string
      /** Required to change the e-mail address. */
      currentPassword?: string
    }
    output: {
      user: User
    }
  }
  removeMe: {
    input: {
      currentPassword: string
    }
    output: undefined
  }
  changePassword: {
    input: {
      currentPassword: string
      /** 8 to 128 characters of any kind. Common passwords and your e-mail name are rejected. */
      newPassword: string
    }
    output: {
      user: User
    }
  }
  forgotPassword: {
    input: {
      /** At most 254 characters. Upper and lower case are equal. */
      email: string
    }
    output: {
      message: string
    }
  }
  resetPassword: {
    input: {
      /** The token from the mail. */
      token: string
      /** 8 to 128 characters of any kind. Common passwords and your e-mail name are rejected. */
      password: string
    }
    output: undefined
  }
  verifyEmail: {
    input: {
      /** The token from the mail. */
      token: string
    }
    output: undefined
  }
  resendVerification: {
    input: {}
    output: {
      message: string
    }
  }
  signInWithGoogle: {
    input: {
      /** The ID token (a JWT) that the app got from Google. */
      idToken: string
      /** The nonce that the app sent to Google. If it is given, a token with another nonce is refused. */
      nonce?: string
    }
    output: Tokens
  }
  linkGoogle: {
    input: {
      /** The ID token (a JWT) that the app got from Google. */
      idToken: string
      /** The nonce that the app sent to Google. If it is given, a token with another nonce is refused. */
      nonce?: string
      currentPassword: string
    }
    output: {
      user: User
    }
  }
  unlinkGoogle: {
    input: {
      currentPassword: string
    }
    output: undefined
  }
  listUsers: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      tenantId?: string
      /** A complete address, or the start of one, with or without a trailing `*`. */
      email?: string
    }
    output: {
      users: Array<User>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'users'
  }
  getUser: {
    input: {
      userId: string
    }
    output: {
      user: User
    }
  }
  updateUser: {
    input: {
      userId: string
      /** The name as the person writes it. */
      name?: string | null
      role?: 'USER' | 'ADMIN'
      /** SUSPENDED ends all sessions of the user. */
      status?: 'ACTIVE' | 'SUSPENDED'
    }
    output: {
      user: User
    }
  }
  removeUser: {
    input: {
      userId: string
    }
    output: undefined
  }
  listBrowserSessions: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      sessions: Array<SignedInBrowser>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'sessions'
  }
  endBrowserSession: {
    input: {
      sessionId: string
    }
    output: undefined
  }
  createSignInLink: {
    input: {
      /** OWNER: may do everything. EDITOR: may read everything and change the catalog and content. VIEWER: may read everything. */
      role: 'OWNER' | 'EDITOR' | 'VIEWER'
      /** The named key that the session will depend on. Absent: the key with which the link is made. */
      keyId?: string
      /** How long the link can be used, once. */
      expiresInSeconds?: number
    }
    output: {
      signInLink: NewSignInLink
    }
  }
  listSignInLinks: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      signInLinks: Array<SignInLink>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'signInLinks'
  }
  deleteSignInLink: {
    input: {
      linkId: string
    }
    output: undefined
  }
  createLicense: {
    input: {
      /** UUIDv7, lower case. */
      tenantId: string
      /** The slug of a product. */
      product: string
      /** TRIAL and STARTER have a limited number of uses. PRO and ENTERPRISE are unlimited. */
      plan: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE'
      /** Absent or null: 5 for TRIAL, 100 for STARTER. Ignored for PRO and ENTERPRISE, which are unlimited. */
      maxUses?: number | null
      /** A time in the future. Absent or null: never. */
      expiresAt?: string | null
      /** A note of your own. */
      label?: string | null
    }
    output: {
      license: License
    }
  }
  listLicenses: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      id?: string
      /** A part of the label, or the last five characters of the key (`keyHint`). Case does not matter. */
      q?: string
      /** UUIDv7, lower case. */
      tenantId?: string
      /** The slug of a product. */
      product?: string
      plan?: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE'
      /** The current status. */
      status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
    }
    output: {
      licenses: Array<License>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'licenses'
  }
  updateLicense: {
    input: {
      /** The id of the license, or its key. Prefer the id: addresses end up in logs. A key is accepted in lower case, with spaces, without hyphens, with O for 0, and with I or L for 1. */
      key: string
      /** TRIAL and STARTER have a limited number of uses. PRO and ENTERPRISE are unlimited. */
      plan?: 'TRIAL' | 'STARTER' | 'PRO' | 'ENTERPRISE'
      /** Null: unlimited. May be lower than `usesCount`. Absent: kept, or the default of a new `plan`. Ignored for PRO and ENTERPRISE, which are unlimited. */
      maxUses?: number | null
      /** A time in the future. Null: never. */
      expiresAt?: string | null
      /** Null: none. */
      label?: string | null
    }
    output: {
      license: License
    }
  }
  getLicense: {
    input: {
      /** The id of the license, or its key. Prefer the id: addresses end up in logs. A key is accepted in lower case, with spaces, without hyphens, with O for 0, and with I or L for 1. */
      key: string
    }
    output: {
      license: License
    }
  }
  revokeLicense: {
    input: {
      /** The id of the license, or its key. Prefer the id: addresses end up in logs. A key is accepted in lower case, with spaces, without hyphens, with O for 0, and with I or L for 1. */
      key: string
    }
    output: {
      license: License
    }
  }
  validateLicense: {
    input: {
      /** The license key. Send either `licenseKey` or `key`. */
      licenseKey?: string
      /** The license key. Send either `licenseKey` or `key`. */
      key?: string
      /** The slug of a product. */
      product?: string
      /** Also take one use. Not for the VPN, which takes a use when a session connects. Send an `Idempotency-Key`, so that a repeated request takes only one use. */
      consume?: boolean
    }
    output: LicenseVerdict
  }
  listLicenseUses: {
    input: {
      /** The id of the license, or its key. Prefer the id: addresses end up in logs. A key is accepted in lower case, with spaces, without hyphens, with O for 0, and with I or L for 1. */
      key: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      uses: Array<LicenseUse>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'uses'
  }
  registerDevice: {
    input: {
      /** One line. Spaces at both ends are removed. */
      deviceName: string
      /** A platform label, stored as sent. Known labels: IOS, ANDROID, WINDOWS, MACOS, LINUX, ROUTER. */
      deviceType: string
      /** The public key of your own key pair; the service then never has the private key. Absent or null: the service makes a pair. Each device needs its own. */
      publicKey?: string | null
      /** Absent or null: the server with the most free capacity. */
      region?: string | null
    }
    output: {
      device: Device
      /** The text of the WireGuard configuration file. With a public key of your own it holds a placeholder for the private key. */
      config: string
      assignedIp: string
    }
  }
  listDevices: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Absent: all except REVOKED. */
      status?: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
    }
    output: {
      devices: Array<Device>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'devices'
  }
  rotateDeviceKeys: {
    input: {
      deviceId: string
      /** The public key of your own new key pair. Absent or null: the service makes a pair. */
      publicKey?: string | null
    }
    output: {
      device: Device
      /** The text of the WireGuard configuration file. With a public key of your own it holds a placeholder for the private key. */
      config: string
      assignedIp: string
    }
  }
  moveDevice: {
    input: {
      deviceId: string
      /** Absent or null: the server with the most free capacity. */
      region?: string | null
    }
    output: {
      device: Device
      /** The text of the WireGuard configuration file. With a public key of your own it holds a placeholder for the private key. */
      config: string
      assignedIp: string
    }
  }
  getDevice: {
    input: {
      deviceId: string
    }
    output: {
      device: Device
    }
  }
  renameDevice: {
    input: {
      deviceId: string
      /** One line. Spaces at both ends are removed. */
      deviceName?: string
    }
    output: {
      device: Device
    }
  }
  revokeDevice: {
    input: {
      deviceId: string
    }
    output: {
      device: Device
      /** When the node of the server had let go of the device. Null: it has not said so yet; then the `confirmedAt` of the device says it. */
      confirmedAt: string | null
    }
  }
  getDeviceConfig: {
    input: {
      deviceId: string
      /** `qr` and `svg`: the QR code as SVG; `png`: as PNG. Absent: what `Accept` prefers, else the file. */
      format?: 'conf' | 'qr' | 'svg' | 'png'
    }
    output: string | Blob
  }
  listTenantDevices: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Absent: all except REVOKED. */
      status?: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
      /** UUIDv7, lower case. */
      userId?: string
    }
    output: {
      devices: Array<Device>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'devices'
  }
  getTenantDevice: {
    input: {
      tenantId: string
      deviceId: string
    }
    output: {
      device: Device
    }
  }
  revokeTenantDevice: {
    input: {
      tenantId: string
      deviceId: string
    }
    output: {
      device: Device
      /** When the node of the server had let go of the device. Null: it has not said so yet; then the `confirmedAt` of the device says it. */
      confirmedAt: string | null
    }
  }
  connect: {
    input: {
      deviceId: string
      /** Absent or null: the tenant’s best license for the product. */
      licenseKey?: string | null
    }
    output: {
      session: VpnSession
    }
  }
  disconnect: {
    input: {
      deviceId?: string
      sessionId?: string
    }
    output: {
      session: VpnSession
    }
  }
  listSessions: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'PENDING' | 'ACTIVE' | 'ENDED'
      /** UUIDv7, lower case. */
      deviceId?: string
    }
    output: {
      sessions: Array<VpnSession>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'sessions'
  }
  getSession: {
    input: {
      sessionId: string
    }
    output: {
      session: VpnSession
    }
  }
  getUsage: {
    input: {
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
    }
    output: {
      from: string
      to: string
      /** Days without a session are left out. */
      usage: Array<VpnUsageDay>
    }
  }
  listAllSessions: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      tenantId?: string
      /** UUIDv7, lower case. */
      userId?: string
      /** UUIDv7, lower case. */
      deviceId?: string
      /** UUIDv7, lower case. */
      serverId?: string
      status?: 'PENDING' | 'ACTIVE'
    }
    output: {
      sessions: Array<NamedVpnSession>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'sessions'
  }
  endSession: {
    input: {
      sessionId: string
    }
    output: {
      session: NamedVpnSession
    }
  }
  listTenantSessions: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      userId?: string
      /** UUIDv7, lower case. */
      deviceId?: string
      /** Absent: those that are open. For `ENDED` also name the user or the device. */
      status?: 'PENDING' | 'ACTIVE' | 'ENDED'
    }
    output: {
      sessions: Array<NamedVpnSession>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'sessions'
  }
  listOpenServers: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      servers: Array<VpnServerChoice>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'servers'
  }
  listServers: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** Lower case letters, digits and hyphens. */
      region?: string
      status?: 'ACTIVE' | 'DRAINING' | 'DISABLED'
    }
    output: {
      servers: Array<VpnServer>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'servers'
  }
  createServer: {
    input: {
      /** Unique among servers. */
      name: string
      /** Lower case letters, digits and hyphens. */
      region: string
      publicIp: string
      /** A host name or an IP address. */
      endpointHost?: string
      endpointPort?: number
      /** Absent or null: the node makes the key when it enrolls, and the server takes no devices before. */
      publicKey?: string | null
      /** From /8 to /30. Must not overlap with another server. Absent: the next free /16 of 10.64.0.0/10 or 10.128.0.0/9, wider if the capacity needs it. */
      subnet4?: string
      /** From /32 to /104. Must not overlap with another server. Absent: the next free /64 of the installation’s own unique local addresses. */
      subnet6?: string
      /** Absent or null: the server’s address in the tunnel if its agent serves DNS, else public resolvers (9.9.9.9, 149.112.112.112, 2620:fe::fe). Empty: the configuration files have no `DNS` line. */
      dns?: Array<string> | null
      /** Bytes. 1280 is the least that IPv6 allows (RFC 8200 section 5). */
      mtu?: number
      /** Number of devices; at most the addresses in `subnet4`. */
      capacity: number
    }
    output: {
      server: VpnServer
    }
  }
  getServer: {
    input: {
      serverId: string
    }
    output: {
      server: VpnServer
    }
  }
  updateServer: {
    input: {
      serverId: string
      /** Unique among servers. */
      name?: string
      /** Lower case letters, digits and hyphens. */
      region?: string
      publicIp?: string
      /** A host name or an IP address. */
      endpointHost?: string
      endpointPort?: number
      /** WireGuard public key in base64. */
      publicKey?: string
      /** From /8 to /30. Must not overlap with another server. */
      subnet4?: string
      /** From /32 to /104. Must not overlap with another server. */
      subnet6?: string
      /** Absent or null: the server’s address in the tunnel if its agent serves DNS, else public resolvers (9.9.9.9, 149.112.112.112, 2620:fe::fe). Empty: the configuration files have no `DNS` line. */
      dns?: Array<string> | null
      /** Bytes. 1280 is the least that IPv6 allows (RFC 8200 section 5). */
      mtu?: number
      /** Number of devices; at most the addresses in `subnet4`. */
      capacity?: number
      /** DRAINING: takes no new devices. DISABLED: also ends all sessions with `SERVER_DISABLED`. */
      status?: 'ACTIVE' | 'DRAINING' | 'DISABLED'
    }
    output: {
      server: VpnServer
    }
  }
  deleteServer: {
    input: {
      serverId: string
    }
    output: undefined
  }
  createEnrollmentToken: {
    input: {
      serverId: string
    }
    output: {
      /** Shown once. Valid for one enrollment; a newer token replaces it. */
      enrollmentToken: string
      expiresAt: string
    }
  }
  revokeNodeToken: {
    input: {
      serverId: string
    }
    output: undefined
  }
  getTenantUsage: {
    input: {
      tenantId: string
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
      /** Wins over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      from: string
      to: string
      /** By day and product. Days without usage are left out. */
      usage: Array<TenantUsage>
      totals: TenantUsageTotals
    } | string
  }
  listPlanLimits: {
    input: {}
    output: {
      plans: Array<PlanLimits>
    }
  }
  getPlanLimits: {
    input: {
      /** The name of the plan. */
      plan: string
    }
    output: {
      plan: PlanLimits
    }
  }
  updatePlanLimits: {
    input: {
      /** The name of the plan. */
      plan: string
      /** Meters that are not named keep their limit. */
      meters: {
        /** For a month, or at any time for what is stored. Null: no limit. */
        meetings?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        transcriptWords?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        modelTokens?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        asks?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        documentPages?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        botMinutes?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        storageBytes?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        documents?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        vpnSessions?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        vpnBytes?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        webhookDeliveries?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        mails?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        apiCalls?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        summaries?: number | null
        /** For a month, or at any time for what is stored. Null: no limit. */
        transcriptMinutes?: number | null
      }
    }
    output: {
      plan: PlanLimits
    }
  }
  getTenantQuota: {
    input: {
      /** UUIDv7, lower case. */
      tenantId: string
      /** A meter, or `modelTokensPerDay`. */
      meter: string
    }
    output: {
      quota: SetQuota
    }
  }
  setTenantQuota: {
    input: {
      /** UUIDv7, lower case. */
      tenantId: string
      /** A meter, or `modelTokensPerDay`. */
      meter: string
      /** Shown beside the limit. Nothing happens there. Null: none. */
      soft?: number | null
      /** The limit instead of that of the plan. Null: no limit. Absent: the limit of the plan. */
      hard?: number | null
      /** REFUSE: 429 `USAGE_EXCEEDED`. FALL_BACK: the local engine works instead of the language model. TELL: only notices are sent. Null: the default of the meter. */
      atLimit?: 'REFUSE' | 'FALL_BACK' | 'TELL' | null
      /** A time in the future. Null or absent: until it is deleted. */
      until?: string | null
      /** Added to the current limit, in this window only. Cannot be combined with the other members. */
      grant?: number
      /** Recorded in the audit log. */
      reason: string
    }
    output: {
      quota: SetQuota
    }
  }
  deleteTenantQuota: {
    input: {
      /** UUIDv7, lower case. */
      tenantId: string
      /** A meter, or `modelTokensPerDay`. */
      meter: string
    }
    output: undefined
  }
  listUsageLimits: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      limits: Array<OwnLimit>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'limits'
  }
  setUsageLimit: {
    input: {
      /** `eachUser`: every user who has no limit of their own for the meter. */
      scope: 'org' | 'user' | 'eachUser'
      /** The id of an organization or user of the tenant. Not with `eachUser`. */
      id?: string
      /** A meter that is counted exactly, or `modelTokensPerDay`. */
      meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'modelTokensPerDay'
      /** For a month (`modelTokensPerDay`: for a day). The limit of the tenant applies as well. */
      limit: number
    }
    output: {
      limit: OwnLimit
    }
  }
  deleteUsageLimit: {
    input: {
      /** `eachUser`: every user who has no limit of their own for the meter. */
      scope: 'org' | 'user' | 'eachUser'
      /** The id of an organization or user of the tenant. Not with `eachUser`. */
      id?: string
      /** A meter that is counted exactly, or `modelTokensPerDay`. */
      meter: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'modelTokensPerDay'
    }
    output: undefined
  }
  getUsageThresholds: {
    input: {}
    output: {
      thresholds: Array<UsageThresholds>
    }
  }
  setUsageThresholds: {
    input: {
      /** A meter, or `modelTokensPerDay`. Absent: all that have none of their own. */
      meter?: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes' | 'modelTokensPerDay'
      /** Percentages of a limit, ascending. Empty: no notices. Null: the same as for all other meters, or 80 and 100 if no `meter` is given. */
      percents: Array<number> | null
    }
    output: {
      thresholds: Array<UsageThresholds>
    }
  }
  getMeterUsage: {
    input: {
      /** Absent: `me`. `org` is for its owners and admins; `tenant` for users with the role ADMIN. */
      scope?: 'me' | 'org' | 'tenant'
      /** Needed with `scope=org`, else ignored. */
      orgId?: string
      /** Absent: all. */
      meter?: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes'
      /** First day, UTC. Absent: 29 days before `to`. */
      from?: string
      /** Last day, UTC. Absent: today. */
      to?: string
      /** Absent: `day`. */
      groupBy?: 'day' | 'week' | 'month' | 'meter' | 'org' | 'user' | 'engine'
      /** Wins over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      from: string
      to: string
      /** Each has the member that `groupBy` names. Amounts of 0 are left out. */
      usage: Array<MeterUsage>
      totals: MeterTotals
    } | string
  }
  listQuotas: {
    input: {
      /** Absent: `me`. `org` is for its owners and admins; `tenant` for users with the role ADMIN. */
      scope?: 'me' | 'org' | 'tenant'
      /** Needed with `scope=org`, else ignored. */
      orgId?: string
    }
    output: {
      quotas: Array<Quota>
    }
  }
  listTenantQuotas: {
    input: {
      tenantId: string
    }
    output: {
      quotas: Array<Quota>
    }
  }
  listTenantsByUsage: {
    input: {
      /** Absent: `meetings`. */
      meter?: 'meetings' | 'transcriptWords' | 'modelTokens' | 'asks' | 'documentPages' | 'botMinutes' | 'storageBytes' | 'documents' | 'vpnSessions' | 'vpnBytes' | 'webhookDeliveries' | 'mails' | 'apiCalls' | 'summaries' | 'transcriptMinutes' | 'modelTokensPerDay'
      groupBy?: 'tenant'
      /** Largest amount first. */
      sort?: 'amount'
      /** Only tenants that have used more than this percentage of their limit. */
      over?: number
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      /** Null for what is stored: as much as there is now. */
      window: {
        from: string
        /** The first day after the window. */
        to: string
        kind: 'month' | 'day'
      } | null
      usage: Array<RankedTenant>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'window'
  }
  recountTenantUsage: {
    input: {
      tenantId: string
    }
    output: {
      recount: UsageRecount
    }
  }
  getTenantUsageRecount: {
    input: {
      tenantId: string
      recountId: string
    }
    output: {
      recount: UsageRecount
    }
  }
  listUnsettledReservations: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      reservations: Array<UnsettledReservation>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'reservations'
  }
  listOrgs: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** `own`: those of which you are a member. `tenant`: all of the tenant, for its administrators. */
      scope?: 'own' | 'tenant'
    }
    output: {
      orgs: Array<Organization>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'orgs'
  }
  createOrg: {
    input: {
      name: string
      /** An IANA time zone: where the organization’s days begin. */
      timeZone?: string
    }
    output: {
      org: Organization
    }
  }
  getOrg: {
    input: {
      orgId: string
    }
    output: {
      org: Organization
    }
  }
  updateOrg: {
    input: {
      orgId: string
      ifMatch?: string
      name?: string
      /** An IANA time zone: where the organization’s days begin. */
      timeZone?: string
    }
    output: {
      org: Organization
    }
  }
  deleteOrg: {
    input: {
      orgId: string
      /** The name of the organization. */
      confirm: string
      ifMatch?: string
    }
    output: undefined
  }
  exportOrg: {
    input: {
      orgId: string
    }
    output: Blob
  }
  listTenantOrgs: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      orgs: Array<Organization>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'orgs'
  }
  deleteTenantOrg: {
    input: {
      tenantId: string
      orgId: string
      /** The name of the organization. */
      confirm: string
      ifMatch?: string
    }
    output: undefined
  }
  transferOrg: {
    input: {
      orgId: string
      /** UUIDv7, lower case. */
      userId: string
    }
    output: {
      member: OrganizationMember
    }
  }
  listOrgMembers: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      members: Array<OrganizationMember>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'members'
  }
  addOrgMember: {
    input: {
      orgId: string
      /** UUIDv7, lower case. */
      userId: string
      /** `viewer` reads what is open to all members. `member` also adds and changes. `admin` also invites and manages members and viewers. `owner` may do everything. */
      role: 'owner' | 'admin' | 'member' | 'viewer'
    }
    output: {
      member: OrganizationMember
    }
  }
  updateOwnOrgMembership: {
    input: {
      orgId: string
      notifications: {
        /** Whether you get a mail in the morning about tasks that are due. */
        tasksDue: boolean
      }
    }
    output: {
      member: OrganizationMember
    }
  }
  leaveOrg: {
    input: {
      orgId: string
    }
    output: undefined
  }
  updateOrgMember: {
    input: {
      orgId: string
      userId: string
      /** `viewer` reads what is open to all members. `member` also adds and changes. `admin` also invites and manages members and viewers. `owner` may do everything. */
      role: 'owner' | 'admin' | 'member' | 'viewer'
    }
    output: {
      member: OrganizationMember
    }
  }
  removeOrgMember: {
    input: {
      orgId: string
      userId: string
      /** The member who gets the meetings that the removed one has opened to the whole organization. Without it they become private. */
      meetingsTo?: string
    }
    output: undefined
  }
  addTenantOrgMember: {
    input: {
      tenantId: string
      orgId: string
      /** UUIDv7, lower case. */
      userId: string
      /** `viewer` reads what is open to all members. `member` also adds and changes. `admin` also invites and manages members and viewers. `owner` may do everything. */
      role: 'owner' | 'admin' | 'member' | 'viewer'
    }
    output: {
      member: OrganizationMember
    }
  }
  listOrgInvitations: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired'
    }
    output: {
      invitations: Array<Invitation>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'invitations'
  }
  createOrgInvitation: {
    input: {
      orgId: string
      email: string
      /** The role after accepting. */
      role: 'owner' | 'admin' | 'member' | 'viewer'
    }
    output: {
      invitation: Invitation
    }
  }
  listReceivedInvitations: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      invitations: Array<ReceivedInvitation>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'invitations'
  }
  resendOrgInvitation: {
    input: {
      orgId: string
      invitationId: string
    }
    output: {
      invitation: Invitation
    }
  }
  revokeOrgInvitation: {
    input: {
      orgId: string
      invitationId: string
    }
    output: undefined
  }
  acceptInvitation: {
    input: {
      /** The token from the mail. */
      token?: string
      /** Instead of the token, with a verified address. */
      invitationId?: string
    }
    output: {
      org: Organization
    }
  }
  declineInvitation: {
    input: {
      /** The token from the mail. */
      token?: string
      /** Instead of the token, with a verified address. */
      invitationId?: string
    }
    output: undefined
  }
  listMails: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      tenantId?: string
      status?: 'PENDING' | 'SENT' | 'FAILED' | 'DISCARDED'
    }
    output: {
      mails: Array<Mail>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'mails'
  }
  retryMail: {
    input: {
      mailId: string
    }
    output: {
      mail: Mail
    }
  }
  listReceivedMails: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      connectionId?: string
      /** The address of `from`, in any letter case. */
      sender?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
    }
    output: {
      messages: Array<EmailMessage>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'messages'
  }
  listTenantReceivedMails: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      connectionId?: string
      /** The address of `from`, in any letter case. */
      sender?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
    }
    output: {
      messages: Array<EmailMessage>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'messages'
  }
  getTenantReceivedMail: {
    input: {
      tenantId: string
      messageId: string
    }
    output: {
      message: TenantEmailMessage
    }
  }
  getEmailConfig: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
    }
    output: {
      config: EmailConfig
    }
  }
  setEmailConfig: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
      ifMatch?: string
      identity?: {
        /** The name of the sender. */
        fromName?: string | null
        /** The sender. Mails wait until `verify` has shown that its domain is yours. */
        fromAddress?: string | null
        /** Plain text below every mail. */
        signature?: string | null
      } | null
      transport?: {
        /** `platform`: the mail server of the installation. `integration`: the account of the organization at Google or Microsoft. `none`: nothing is sent. */
        kind?: 'platform' | 'smtp' | 'integration' | 'none' | null
        /** A name or IP address. It has to be public. */
        host?: string | null
        port?: number | null
        /** `tls` from the first byte, `starttls`, or `none`, which never carries a password over a public network. */
        security?: 'tls' | 'starttls' | 'none' | null
        userName?: string | null
        /** Never shown again. If the server or the user changes and no password is sent, the stored one is deleted. */
        password?: string | null
      } | null
      inbound?: {
        /** `platform`: mail to `localPart` is received. `webhook`: also all mail of one connection. `imap`: also the mailbox at `host`, or without `host` that of the organization’s integration. `none`: nothing is received. */
        kind?: 'platform' | 'webhook' | 'imap' | 'none' | null
        /** The id of an inbound webhook. */
        connectionId?: string | null
        /** A name or IP address. It has to be public. */
        host?: string | null
        port?: number | null
        /** `tls` from the first byte, `starttls`, or `none`, which never carries a password over a public network. */
        security?: 'tls' | 'starttls' | 'none' | null
        userName?: string | null
        /** Received mails are moved to it. */
        folder?: string | null
        /** The name before the @ at the domain of the installation. Unique in the installation. */
        localPart?: string | null
        /** Never shown again. If the server or the user changes and no password is sent, the stored one is deleted. */
        password?: string | null
      } | null
      replies?: {
        /** `draft`: a person approves each answer. */
        mode?: 'off' | 'draft' | 'send' | null
        /** Whose mails are answered. */
        audience?: 'members' | 'participants' | 'domains' | 'anyone' | null
        /** With the audience `domains`: senders of these. */
        domains?: Array<string> | null
        /** Users who approve drafts. Empty: the admins and owners. */
        approvers?: Array<string> | null
        /** The most automatic mails to one address in an hour. */
        perSenderHour?: number | null
        /** The most automatic mails in one thread in a day. */
        perThreadDay?: number | null
        /** The most automatic mails in a day. */
        perDay?: number | null
        /** Domains whose ARC seals are trusted. */
        trustedForwarders?: Array<string> | null
      } | null
      commands?: {
        /** Calendar invitations create meetings. */
        invites?: boolean | null
        /** Transcript files create meetings. */
        transcripts?: boolean | null
        /** Mail to `+docs` adds its attachments to the documents. */
        documents?: boolean | null
      } | null
    }
    output: {
      config: EmailConfig
    }
  }
  createEmailDkimKey: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
    }
    output: {
      key: EmailDkimKey
    }
  }
  verifyEmailConfig: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
    }
    output: {
      verification: EmailVerification
    }
  }
  getEmailVerification: {
    input: {
      verificationId: string
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
    }
    output: {
      verification: EmailVerification
    }
  }
  listEmailThreads: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** The organization. Absent: the tenant, for its administrators. */
      orgId?: string
    }
    output: {
      threads: Array<EmailThread>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'threads'
  }
  getEmailThread: {
    input: {
      threadId: string
    }
    output: {
      thread: EmailThreadWithMessages
    }
  }
  getEmailMessage: {
    input: {
      messageId: string
    }
    output: {
      message: EmailMessageWithText
    }
  }
  updateEmailDraft: {
    input: {
      messageId: string
      ifMatch?: string
      /** The whole text of the mail, with its signature. */
      text: string
    }
    output: {
      message: EmailMessageWithText
    }
  }
  getRawEmailMessage: {
    input: {
      messageId: string
    }
    output: Blob
  }
  sendEmail: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
      to: Array<string>
      subject: string
      /** A meeting of the organization that you may read: members also write to its participants. */
      meetingId?: string
      text: string
    }
    output: {
      message: EmailMessageWithText
    }
  }
  listEmailSuppressions: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** The organization. Without it: the tenant, for its administrators. */
      orgId?: string
      /** In any letter case. */
      address?: string
    }
    output: {
      suppressions: Array<EmailSuppression>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'suppressions'
  }
  createEmailSuppression: {
    input: {
      /** The organization. Without it: the tenant, for its administrators. */
      orgId?: string
      address: string
    }
    output: {
      suppression: EmailSuppression
    }
  }
  getEmailSuppression: {
    input: {
      suppressionId: string
      /** The organization. Without it: the tenant, for its administrators. */
      orgId?: string
    }
    output: {
      suppression: EmailSuppression
    }
  }
  deleteEmailSuppression: {
    input: {
      suppressionId: string
      /** The organization. Without it: the tenant, for its administrators. */
      orgId?: string
    }
    output: undefined
  }
  discardEmailDraft: {
    input: {
      messageId: string
    }
    output: {
      message: EmailMessageWithText
    }
  }
  getEmailTrace: {
    input: {
      messageId: string
    }
    output: {
      trace: EmailTrace
    }
  }
  approveEmailDraft: {
    input: {
      messageId: string
      /** The revision that you have read. */
      revision: number
    }
    output: {
      message: EmailMessageWithText
    }
  }
  retryEmailMessage: {
    input: {
      messageId: string
    }
    output: {
      message: EmailMessageWithText
    }
  }
  simulateEmail: {
    input: {
      /** The organization, for its admins and owners. Absent: the tenant itself, for its administrators. */
      orgId?: string
      body: string | Blob | Record<string, unknown>
    }
    output: {
      trace: EmailTrace
      draft: SimulatedEmail
    }
  }
  getEmailDigest: {
    input: {}
    output: {
      digest: EmailDigest
    }
  }
  setEmailDigest: {
    input: {
      /** How often you get a digest. `off` (the default): never. */
      frequency: 'off' | 'daily' | 'weekly'
      /** An IANA time zone: where your days begin. */
      timeZone?: string
      /** At this hour of your time zone. */
      hour?: number
      /** The day of a weekly digest. 1 is Monday, 7 is Sunday. */
      weekday?: number
    }
    output: {
      digest: EmailDigest
    }
  }
  createMeeting: {
    input: {
      /** One line. Spaces around it are removed. */
      title: string
      /** The meeting is deleted after this many days without activity. Null: never. Default: 90. */
      ttl_days?: number | null
      participants?: Array<{
        name: string
        email?: string | null
      } | string>
      /** The planned start of the meeting. */
      scheduledAt?: string | null
      /** The planned end, after `scheduledAt`. */
      scheduledEnd?: string | null
      /** The link for joining: an https address, stored encrypted and shown without passcodes. Sending it back as it was shown changes nothing. */
      joinUrl?: string | null
      /** The calendar event of the meeting. */
      calendarEvent?: {
        /** The UID of iCalendar: the same in the calendars of all who were invited. */
        uid: string
        /** Which occurrence of a series, by its originally planned start (RECURRENCE-ID). Null: it does not recur. */
        occurrence: string | null
      } | null
      settings?: {
        /** Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length. */
        personality?: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
        /** The mode of a summary when the request names none. */
        summaryMode?: 'short' | 'detailed'
      }
      /** The organization with which the meeting is shared. You need the role member in it. Another one without a `visibility` means `org`, and null means `private`. */
      orgId?: string | null
      /** `private`: only the owner. `org`: all members of the organization may read. `members`: those in `sharedWith`. */
      visibility?: 'private' | 'org' | 'members'
      /** Members of the organization, and what each may do. With `org`, only `write` makes a difference. */
      sharedWith?: Array<{
        /** UUIDv7, lower case. */
        userId: string
        /** `write` also adds to the transcript, changes, starts, ends and cancels. Viewers only read. */
        access: 'read' | 'write'
      }>
      transcript?: Array<{
        speaker: string
        text: string
        /** The offset into the meeting: HH:MM:SS or HH:MM:SS.mmm. */
        timestamp: string
        /** Your own id for this entry. An entry sent with the same id replaces the earlier one. */
        segmentId?: string | null
      }>
    }
    output: MeetingWithTranscript
  }
  listMeetings: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** `own`: your meetings. `shared`: those of others that you may read. `all`: both. */
      scope?: 'own' | 'shared' | 'all'
      /** Only meetings of this organization. */
      orgId?: string
      status?: 'scheduled' | 'active' | 'completed' | 'cancelled' | 'failed'
      /** Searches the titles, ignoring case. */
      q?: string
      /** Returns meetings created at this time or later. */
      from?: string
      /** Returns meetings created before this time. */
      to?: string
    }
    output: {
      meetings: Array<Meeting>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'meetings'
  }
  getMeeting: {
    input: {
      meetingId: string
    }
    output: MeetingWithTranscript
  }
  updateMeeting: {
    input: {
      meetingId: string
      ifMatch?: string
      /** One line. Spaces around it are removed. */
      title?: string
      /** The meeting is deleted after this many days without activity. Null: never. */
      ttl_days?: number | null
      /** Replaces all participants. Null: none. */
      participants?: Array<{
        name: string
        email?: string | null
      } | string> | null
      /** The planned start of the meeting. */
      scheduledAt?: string | null
      /** The planned end, after `scheduledAt`. */
      scheduledEnd?: string | null
      /** The link for joining: an https address, stored encrypted and shown without passcodes. Sending it back as it was shown changes nothing. */
      joinUrl?: string | null
      /** The calendar event of the meeting. */
      calendarEvent?: {
        /** The UID of iCalendar: the same in the calendars of all who were invited. */
        uid: string
        /** Which occurrence of a series, by its originally planned start (RECURRENCE-ID). Null: it does not recur. */
        occurrence: string | null
      } | null
      /** The organization with which the meeting is shared. You need the role member in it. Another one without a `visibility` means `org`, and null means `private`. */
      orgId?: string | null
      /** `private`: only the owner. `org`: all members of the organization may read. `members`: those in `sharedWith`. */
      visibility?: 'private' | 'org' | 'members'
      /** Members of the organization, and what each may do. With `org`, only `write` makes a difference. */
      sharedWith?: Array<{
        /** UUIDv7, lower case. */
        userId: string
        /** `write` also adds to the transcript, changes, starts, ends and cancels. Viewers only read. */
        access: 'read' | 'write'
      }>
    }
    output: Meeting
  }
  deleteMeeting: {
    input: {
      meetingId: string
      ifMatch?: string
    }
    output: undefined
  }
  setMeetingSettings: {
    input: {
      meetingId: string
      ifMatch?: string
      /** Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length. */
      personality?: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
      /** The mode of a summary when the request names none. */
      summaryMode?: 'short' | 'detailed'
    }
    output: {
      settings: {
        /** Sets the tone of summaries and answers and the extra section of detailed summaries, but never facts or length. */
        personality: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
        /** The mode of a summary when the request names none. */
        summaryMode: 'short' | 'detailed'
      }
    }
  }
  startMeeting: {
    input: {
      meetingId: string
      ifMatch?: string
    }
    output: Meeting
  }
  endMeeting: {
    input: {
      meetingId: string
      ifMatch?: string
    }
    output: Meeting
  }
  cancelMeeting: {
    input: {
      meetingId: string
      ifMatch?: string
    }
    output: Meeting
  }
  appendTranscript: {
    input: {
      meetingId: string
      entries: Array<{
        speaker: string
        text: string
        /** The offset into the meeting: HH:MM:SS or HH:MM:SS.mmm. */
        timestamp: string
        /** Your own id for this entry. An entry sent with the same id replaces the earlier one. */
        segmentId?: string | null
      }>
    }
    output: {
      /** UUIDv7, lower case. */
      meetingId: string
      /** The number of new entries. */
      added: number
      /** The number of entries that replaced one with the same `segmentId`. */
      replaced: number
      /** The number of entries that were already stored without any difference. */
      unchanged: number
      /** The last number given to an entry or to its replacement. */
      lastSeq: number
      entryCount: number
      status: 'scheduled' | 'active' | 'completed' | 'cancelled' | 'failed'
      revision: number
    }
  }
  getTranscript: {
    input: {
      meetingId: string
      /** Default: the format that `Accept` prefers, or `json`. */
      format?: 'json' | 'vtt' | 'srt' | 'txt'
      /** Returns only entries after this number. */
      afterSeq?: number
      /** The maximum number of entries in a page, for `json` only. Default: all entries. */
      limit?: number
    }
    output: {
      /** UUIDv7, lower case. */
      meetingId: string
      /** Times during which a bot was away from the running meeting, for example because its runner died. Nothing that was said then is in the transcript. */
      gaps: Array<{
        from: string
        /** Null: the bot has not returned yet. */
        to: string | null
        cause: string
        /** Where it begins in the transcript, in milliseconds. */
        offsetMs: number
      }>
      entries: Array<TranscriptEntry>
      /** The `afterSeq` of the next page; null on the last page. A page may be shorter than `limit`. */
      nextAfterSeq: number | null
    } | string
  }
  importTranscript: {
    input: {
      meetingId: string
      /** Default: the format that `Content-Type` names. Required with `text/plain`. */
      format?: 'vtt' | 'srt' | 'json'
      body: string | Blob | Record<string, unknown>
    }
    output: {
      /** UUIDv7, lower case. */
      meetingId: string
      /** The number of new entries. */
      added: number
      /** The number of entries that replaced one with the same `segmentId`. */
      replaced: number
      /** The number of entries that were already stored without any difference. */
      unchanged: number
      /** The last number given to an entry or to its replacement. */
      lastSeq: number
      entryCount: number
      status: 'scheduled' | 'active' | 'completed' | 'cancelled' | 'failed'
      revision: number
    }
  }
  getMeetingSummary: {
    input: {
      meetingId: string
      /** Default: the mode in the meeting's settings, which is `short` at first. */
      mode?: 'short' | 'detailed'
    }
    output: Summary
  }
  listPersonalities: {
    input: {}
    output: {
      personalities: Array<{
        name: 'neutral' | 'supportive' | 'challenger' | 'analyst' | 'coach'
        isDefault: boolean
        tone: string
        /** The subject of the extra section in a detailed summary. Null: there is no extra section. */
        section: string | null
      }>
    }
  }
  listDraftedAnswers: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'pending' | 'sent'
      /** user: the connection has no organization and names no user whose meetings may be quoted, and the person who asked is not known. answer: the search is still to be done. sending: it is being sent, or no account is connected that may send it. */
      waitingFor?: 'user' | 'answer' | 'sending'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** UUIDv7, lower case. */
      userId?: string
      /** UUIDv7, lower case. */
      orgId?: string
      /** Asked at this time or later. */
      from?: string
      /** Asked before this time. */
      to?: string
    }
    output: {
      answers: Array<DraftedAnswer>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'answers'
  }
  getDraftedAnswer: {
    input: {
      answerId: string
    }
    output: {
      answer: DraftedAnswerWithQuotes
    }
  }
  listTenantDraftedAnswers: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'pending' | 'sent'
      /** user: the connection has no organization and names no user whose meetings may be quoted, and the person who asked is not known. answer: the search is still to be done. sending: it is being sent, or no account is connected that may send it. */
      waitingFor?: 'user' | 'answer' | 'sending'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** UUIDv7, lower case. */
      userId?: string
      /** UUIDv7, lower case. */
      orgId?: string
      /** Asked at this time or later. */
      from?: string
      /** Asked before this time. */
      to?: string
    }
    output: {
      answers: Array<DraftedAnswer>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'answers'
  }
  getTenantDraftedAnswer: {
    input: {
      tenantId: string
      answerId: string
    }
    output: {
      answer: DraftedAnswerWithQuotes
    }
  }
  stopAllBots: {
    input: {
      reason: string
    }
    output: {
      /** How many bots were live. */
      stopped: number
    }
  }
  getBotPause: {
    input: {}
    output: {
      isPaused: boolean
      reason: string | null
      since: string | null
    }
  }
  setBotPause: {
    input: {
      /** True: nobody can send bots. */
      isPaused: boolean
      reason?: string | null
    }
    output: {
      isPaused: boolean
      reason: string | null
      since: string | null
    }
  }
  stopAllBotsOfAllTenants: {
    input: {
      reason: string
    }
    output: {
      /** How many bots were live. */
      stopped: number
    }
  }
  setBotPauseOfAllTenants: {
    input: {
      /** True: nobody can send bots. */
      isPaused: boolean
      reason?: string | null
    }
    output: undefined
  }
  getBotPolicy: {
    input: {
      /** UUIDv7, lower case. */
      orgId?: string
    }
    output: {
      policy: {
        /** UUIDv7, lower case. */
        orgId: string | null
        /** To which meetings of a calendar a bot is sent: none, those you organize, those you accepted, or all. */
        calendar: 'none' | 'mine' | 'accepted' | 'all'
        minimumParticipants: number
        excludeWords: Array<string>
        provider: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa' | null
      }
    }
  }
  setBotPolicy: {
    input: {
      /** Whose policy it is. Null or absent: your own. */
      orgId?: string | null
      /** To which meetings of a calendar a bot is sent: none, those you organize, those you accepted, or all. */
      calendar: 'none' | 'mine' | 'accepted' | 'all'
      minimumParticipants?: number
      /** No bot is sent to meetings with one of these words in the title. */
      excludeWords?: Array<string>
      /** Who sends the bots. Null: the first that is set up. */
      provider?: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa' | null
    }
    output: {
      policy: {
        /** UUIDv7, lower case. */
        orgId: string | null
        /** To which meetings of a calendar a bot is sent: none, those you organize, those you accepted, or all. */
        calendar: 'none' | 'mine' | 'accepted' | 'all'
        minimumParticipants: number
        excludeWords: Array<string>
        provider: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa' | null
      }
    }
  }
  listBotVendors: {
    input: {}
    output: {
      vendors: Array<BotVendor>
    }
  }
  setBotVendor: {
    input: {
      vendor: string
      /** Write-only. */
      apiKey: string
      /** Of Recall.ai: `us-east-1`, `us-west-2`, `eu-central-1` or `ap-northeast-1`. Its API keys belong to a region. */
      region?: string
      /** The address of your own installation of Attendee or Vexa. Absent: the vendor’s address. */
      baseUrl?: string
      /** Write-only. The secret with which the vendor signs its webhooks. Absent: unchanged. Without a secret, the service only asks the vendor every 30 seconds. */
      webhookSecret?: string
    }
    output: {
      vendor: BotVendor
    }
  }
  deleteBotVendor: {
    input: {
      vendor: string
    }
    output: undefined
  }
  listBotRunners: {
    input: {}
    output: {
      runners: Array<BotRunner>
    }
  }
  createBotRunner: {
    input: {
      name: string
    }
    output: {
      runner: BotRunner
      /** Shown once. Valid for one enrollment within 15 minutes. */
      enrollmentToken: string
      expiresAt: string
    }
  }
  getBotRunner: {
    input: {
      runnerId: string
    }
    output: {
      runner: BotRunner
    }
  }
  deleteBotRunner: {
    input: {
      runnerId: string
    }
    output: undefined
  }
  createBotRunnerEnrollmentToken: {
    input: {
      runnerId: string
    }
    output: {
      runner: BotRunner
      /** Shown once. Valid for one enrollment within 15 minutes. */
      enrollmentToken: string
      expiresAt: string
    }
  }
  listSharedBotRunners: {
    input: {}
    output: {
      runners: Array<BotRunner>
    }
  }
  createSharedBotRunner: {
    input: {
      name: string
    }
    output: {
      runner: BotRunner
      /** Shown once. Valid for one enrollment within 15 minutes. */
      enrollmentToken: string
      expiresAt: string
    }
  }
  getSharedBotRunner: {
    input: {
      runnerId: string
    }
    output: {
      runner: BotRunner
    }
  }
  deleteSharedBotRunner: {
    input: {
      runnerId: string
    }
    output: undefined
  }
  createSharedBotRunnerEnrollmentToken: {
    input: {
      runnerId: string
    }
    output: {
      runner: BotRunner
      /** Shown once. Valid for one enrollment within 15 minutes. */
      enrollmentToken: string
      expiresAt: string
    }
  }
  deployBot: {
    input: {
      /** A link for joining. A meeting is created for it. */
      meetingUrl?: string
      /** An existing meeting that has a `joinUrl`. */
      meetingId?: string
      /** With `meetingUrl`: the organization of the new meeting. */
      orgId?: string
      /** Who sends the bot. Absent: the policy’s, else the first that is set up and can join there; without a link `replay`. */
      provider?: 'push' | 'replay' | 'runner' | 'browser' | 'recall' | 'attendee' | 'vexa'
      displayName?: string
      /** When the bot joins. Null: now. */
      joinAt?: string | null
      /** Posted in the chat before anything is kept. The words about `!agree`, `!stop` and `!forget` are added if they are missing. */
      consentMessage?: string
      /** `notice`: posting the notice is enough. `required`: nothing is kept until a participant writes `!agree` or the organizer confirms. */
      consentMode?: 'notice' | 'required'
      /** When the bot leaves automatically. Absent members keep their defaults. */
      autoLeave?: {
        waitingRoomSeconds?: number
        aloneSeconds?: number
        nobodyCameSeconds?: number
        silenceSeconds?: number
        silenceAfterSeconds?: number
        maxSeconds?: number
      }
      /** `mention`: the bot answers when it is asked by name in the chat, and uses only this meeting. */
      chatAnswers?: 'none' | 'mention'
      /** For `replay`: `sample`, the id of a meeting, or the text of a WebVTT, SRT or JSON file. */
      source?: string
      /** For `replay`: how fast it plays. */
      speed?: number
    }
    output: {
      bot: Bot
      /** For `push`: a token, shown only once, with which a program can append entries. */
      ingest?: {
        url: string
        token: string
      }
    }
  }
  listBots: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      meetingId?: string
      /** UUIDv7, lower case. */
      orgId?: string
      status?: 'scheduled' | 'queued' | 'joining' | 'waiting_room' | 'in_meeting' | 'leaving' | 'ended' | 'failed'
      /** True: only bots that have not ended. False: only bots that have ended. */
      live?: boolean
    }
    output: {
      bots: Array<Bot>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'bots'
  }
  getBot: {
    input: {
      botId: string
    }
    output: {
      bot: BotWithEvents
    }
  }
  updateBot: {
    input: {
      botId: string
      ifMatch?: string
      displayName?: string
      /** When the bot joins. Null: now. */
      joinAt?: string | null
      /** Posted in the chat before anything is kept. The words about `!agree`, `!stop` and `!forget` are added if they are missing. */
      consentMessage?: string
      /** `notice`: posting the notice is enough. `required`: nothing is kept until a participant writes `!agree` or the organizer confirms. */
      consentMode?: 'notice' | 'required'
      /** When the bot leaves automatically. Absent members keep their defaults. */
      autoLeave?: {
        waitingRoomSeconds?: number
        aloneSeconds?: number
        nobodyCameSeconds?: number
        silenceSeconds?: number
        silenceAfterSeconds?: number
        maxSeconds?: number
      }
      /** `mention`: the bot answers when it is asked by name in the chat, and uses only this meeting. */
      chatAnswers?: 'none' | 'mention'
    }
    output: {
      bot: Bot
    }
  }
  deleteBot: {
    input: {
      botId: string
    }
    output: {
      bot: Bot
    }
  }
  leaveBot: {
    input: {
      botId: string
    }
    output: {
      bot: Bot
    }
  }
  sendBotMessage: {
    input: {
      botId: string
      text: string
    }
    output: {
      bot: Bot
    }
  }
  answerBotConsent: {
    input: {
      botId: string
      /** `refuse`: the bot leaves. */
      decision: 'confirm' | 'refuse'
    }
    output: {
      bot: Bot
    }
  }
  getBotArtifact: {
    input: {
      botId: string
      name: string
    }
    output: {
      /** The labels of the controls on the page. */
      controls: Array<string>
    } | Blob
  }
  ingestBotEntries: {
    input: {
      entries: Array<{
        segmentId: string
        speaker: string
        text: string
        /** Milliseconds since the admission of this attempt, by a clock that only goes forward. */
        atMs: number
        kind?: 'speech' | 'chat'
      }>
      /** True: the meeting is over. */
      isEnded?: boolean
    }
    output: undefined
  }
  listOrgTasks: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** May be repeated. */
      status?: Array<'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'>
      /** `week`: today and the six days after it. `none`: without a day. */
      due?: 'overdue' | 'today' | 'week' | 'none'
      /** Due on this day or later. */
      from?: string
      /** Due on this day or earlier. */
      to?: string
      label?: string
      source?: 'manual' | 'meeting' | 'tracker'
      /** Tasks from a meeting that you may read. */
      meetingId?: string
      /** Words of the title or description, or their beginnings. All must match. Only the first ten are used. */
      q?: string
      /** `me`, `none`, or a user’s id. */
      assignee?: string
      /** `board` (the default): by status and position. `updated` and `created`: newest first. */
      sort?: 'board' | 'due' | 'updated' | 'created'
      /** Wins over `Accept`. */
      format?: 'json' | 'csv'
    }
    output: {
      tasks: Array<Task>
      /** If more than 1,000 tasks match, `total` is a lower bound: while there is a next page, it is more than the tasks up to this page. */
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    } | string
    list: 'tasks'
  }
  createOrgTask: {
    input: {
      orgId: string
      title: string
      description?: string
      priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent'
      /** A member of the organization. */
      assigneeId?: string | null
      /** A day in the time zone of the organization. */
      due?: string | null
      /** An organization has at most 50 different ones. */
      labels?: Array<string>
    }
    output: {
      task: Task
    }
  }
  listOwnTasks: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** May be repeated. */
      status?: Array<'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'>
      /** `week`: today and the six days after it. `none`: without a day. */
      due?: 'overdue' | 'today' | 'week' | 'none'
      /** Due on this day or later. */
      from?: string
      /** Due on this day or earlier. */
      to?: string
      label?: string
      source?: 'manual' | 'meeting' | 'tracker'
      /** Tasks from a meeting that you may read. */
      meetingId?: string
      /** Words of the title or description, or their beginnings. All must match. Only the first ten are used. */
      q?: string
      /** `own`: assigned to you, in all organizations. `tenant`: issues of trackers whose connection has no organization, for administrators of the tenant, newest first and without filters. */
      scope?: 'own' | 'tenant'
      sort?: 'due' | 'updated' | 'created'
    }
    output: {
      tasks: Array<Task>
      /** If more than 1,000 tasks match, `total` is a lower bound: while there is a next page, it is more than the tasks up to this page. */
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'tasks'
  }
  getOrgTask: {
    input: {
      orgId: string
      taskId: string
    }
    output: {
      task: Task
    }
  }
  updateOrgTask: {
    input: {
      orgId: string
      taskId: string
      ifMatch?: string
      title?: string
      description?: string
      status?: 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'
      priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent'
      /** A member of the organization. */
      assigneeId?: string | null
      /** A day in the time zone of the organization. */
      due?: string | null
      /** An organization has at most 50 different ones. */
      labels?: Array<string>
    }
    output: {
      task: Task
    }
  }
  deleteOrgTask: {
    input: {
      orgId: string
      taskId: string
      ifMatch?: string
    }
    output: undefined
  }
  moveOrgTask: {
    input: {
      orgId: string
      taskId: string
      ifMatch?: string
      /** The column. Absent: the task stays in its own. */
      status?: 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'
      /** The task of that column before which it is placed. */
      before?: string
      /** The task of that column after which it is placed, instead of `before`. */
      after?: string
    }
    output: {
      task: Task
    }
  }
  changeOrgTasks: {
    input: {
      orgId: string
      ids: Array<string>
      change: {
        title?: string
        description?: string
        status?: 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'
        priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent'
        /** A member of the organization. */
        assigneeId?: string | null
        /** A day in the time zone of the organization. */
        due?: string | null
        /** An organization has at most 50 different ones. */
        labels?: Array<string>
      }
    }
    output: {
      tasks: Array<{
        /** UUIDv7, lower case. */
        id: string
        status: 'proposed' | 'open' | 'in_progress' | 'done' | 'dismissed'
        revision: number
      }>
    }
  }
  listOrgTaskHistory: {
    input: {
      orgId: string
      taskId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      history: Array<TaskHistoryEntry>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'history'
  }
  dismissOrgTaskConflict: {
    input: {
      orgId: string
      taskId: string
      field: string
      ifMatch?: string
    }
    output: undefined
  }
  listOrgTaskComments: {
    input: {
      orgId: string
      taskId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      comments: Array<TaskComment>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'comments'
  }
  createOrgTaskComment: {
    input: {
      orgId: string
      taskId: string
      text: string
    }
    output: {
      comment: TaskComment
    }
  }
  updateOrgTaskComment: {
    input: {
      orgId: string
      taskId: string
      commentId: string
      ifMatch?: string
      text: string
    }
    output: {
      comment: TaskComment
    }
  }
  deleteOrgTaskComment: {
    input: {
      orgId: string
      taskId: string
      commentId: string
      ifMatch?: string
    }
    output: undefined
  }
  proposeMeetingTasks: {
    input: {
      meetingId: string
    }
    output: {
      tasks: Array<Task>
    }
  }
  createTaskCalendar: {
    input: {
      orgId: string
    }
    output: {
      calendar: {
        /** A secret: anybody who has it can read the titles of your tasks. It is shown only now. */
        url: string
      }
    }
  }
  deleteTaskCalendar: {
    input: {
      orgId: string
    }
    output: undefined
  }
  listCollections: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** `own`: those that you may read. `all`: every one, for owners, who may add themselves to its members. */
      scope?: 'own' | 'all'
    }
    output: {
      collections: Array<Collection>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'collections'
  }
  createCollection: {
    input: {
      orgId: string
      name: string
      /** `open`: to all members of the organization. `restricted`: to the listed members alone. */
      access?: 'open' | 'restricted'
    }
    output: {
      collection: Collection
    }
  }
  getCollection: {
    input: {
      orgId: string
      collectionId: string
    }
    output: {
      collection: Collection
    }
  }
  updateCollection: {
    input: {
      orgId: string
      collectionId: string
      ifMatch?: string
      name?: string
      /** `open`: to all members of the organization. `restricted`: to the listed members alone. */
      access?: 'open' | 'restricted'
    }
    output: {
      collection: Collection
    }
  }
  deleteCollection: {
    input: {
      orgId: string
      collectionId: string
      /** Erases the documents, too. Required if there are any. */
      documents?: 'erase'
      ifMatch?: string
    }
    output: undefined
  }
  setCollectionMember: {
    input: {
      orgId: string
      collectionId: string
      userId: string
      ifMatch?: string
      access: 'read' | 'write'
    }
    output: {
      collection: Collection
    }
  }
  removeCollectionMember: {
    input: {
      orgId: string
      collectionId: string
      userId: string
      ifMatch?: string
    }
    output: undefined
  }
  listCollectionHistory: {
    input: {
      orgId: string
      collectionId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      history: Array<CollectionHistoryEntry>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'history'
  }
  listDocuments: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** UUIDv7, lower case. */
      collectionId?: string
      status?: 'queued' | 'extracting' | 'ready' | 'failed'
      tag?: string
      /** A part of the title or of the file name. To search in texts, use `search`. */
      q?: string
    }
    output: {
      documents: Array<Document>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'documents'
  }
  addDocument: {
    input: {
      orgId: string
      /** Default: the name of the file. */
      title?: string
      text?: string
      format?: 'markdown' | 'text'
      /** Default: the collection "General". */
      collectionId?: string
      tags?: Array<string>
      file?: Blob
    }
    output: {
      document: Document
      /** True if the collection already has a document with the same bytes: it is this one. */
      duplicate?: boolean
    }
  }
  getDocument: {
    input: {
      orgId: string
      documentId: string
    }
    output: {
      document: Document
    }
  }
  updateDocument: {
    input: {
      orgId: string
      documentId: string
      ifMatch?: string
      title?: string
      tags?: Array<string>
      /** Moves the document: needs `write` in both collections. */
      collectionId?: string
    }
    output: {
      document: Document
    }
  }
  deleteDocument: {
    input: {
      orgId: string
      documentId: string
      ifMatch?: string
    }
    output: undefined
  }
  retryDocument: {
    input: {
      orgId: string
      documentId: string
    }
    output: {
      document: Document
    }
  }
  listDocumentVersions: {
    input: {
      orgId: string
      documentId: string
    }
    output: {
      versions: Array<DocumentVersion>
    }
  }
  addDocumentVersion: {
    input: {
      orgId: string
      documentId: string
      text?: string
      format?: 'markdown' | 'text'
      file?: Blob
    }
    output: {
      document: Document
      version: DocumentVersion
    }
  }
  restoreDocumentVersion: {
    input: {
      orgId: string
      documentId: string
      /** The number of a version. */
      version: string
    }
    output: {
      document: Document
      version: DocumentVersion
    }
  }
  getDocumentContent: {
    input: {
      orgId: string
      documentId: string
      /** `original` (the default): the file. `text`: what was read from it. */
      format?: 'original' | 'text'
      /** Default: the current one. */
      version?: number
    }
    output: Blob
  }
  searchOrg: {
    input: {
      orgId: string
      /** Up to 32 words. `"several words"` must stand together somewhere in the document or meeting, `-word` nowhere in it, and of two phrases joined by `or` one is enough. */
      q: string
      /** Only documents, or only transcripts of meetings. */
      kind?: 'document' | 'meeting'
      /** Only documents of this collection. */
      collectionId?: string
      /** Only this document. */
      documentId?: string
      /** Only the transcript of this meeting. */
      meetingId?: string
      /** Only documents created, and meetings started, at this time or later. */
      from?: string
      /** Only documents created, and meetings started, until this time. */
      to?: string
      /** Results at most. */
      limit?: number
    }
    output: {
      results: Array<SearchResult>
      /** Words that occur nowhere, with the words that were searched instead. */
      corrected: Record<string, string>
      searched: {
        /** Documents that were searched. */
        documents: number
        /** Meetings whose transcripts were searched. */
        meetings: number
        /** Documents, and meetings that are not live, that cannot be found yet. */
        waiting: number
      }
    }
  }
  askOrg: {
    input: {
      orgId: string
      question: string
      /** Only documents, or only transcripts of meetings. */
      kind?: 'document' | 'meeting'
      /** Only documents of this collection. */
      collectionId?: string
      /** Only this document. */
      documentId?: string
      /** Only the transcript of this meeting. */
      meetingId?: string
      /** Only documents created, and meetings started, at this time or later. */
      from?: string
      /** Only documents created, and meetings started, until this time. */
      to?: string
      /** `auto`: by the language model, if there is one. `local`: by quotes alone, whatever is configured. */
      engine?: 'auto' | 'local'
    }
    output: AskAnswer
  }
  listOrgAsks: {
    input: {
      orgId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      asks: Array<AskLine>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'asks'
  }
  getOrgAsk: {
    input: {
      orgId: string
      askId: string
    }
    output: {
      ask: KeptAsk
    }
  }
  deleteOrgAsk: {
    input: {
      orgId: string
      askId: string
    }
    output: undefined
  }
  giveOrgAskFeedback: {
    input: {
      orgId: string
      askId: string
      helpful: boolean
      comment?: string
    }
    output: {
      ask: KeptAsk
    }
  }
  createWebhookConnection: {
    input: {
      /** How the provider signs its deliveries. */
      scheme: 'jira-hmac' | 'jira-jwt' | 'linear' | 'github' | 'slack' | 'bot-framework' | 'graph' | 'sns' | 'mailgun' | 'postmark' | 'sendgrid' | 'recall' | 'attendee' | 'vexa' | 'zoom' | 'google-channel'
      name: string
      /** The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them. */
      orgId?: string | null
      /** The account as the provider names it in its payloads (installation, team, organization, topic). Needed for deliveries to the address without a connection id. It only decides whose secrets are tried. */
      account?: string | null
      /** What the scheme needs to know about the provider: an application id, topics, a user name. No secrets. */
      settings?: Record<string, string | Array<string>>
      /** Write-only. Required where the provider generates it. Where you may choose it, one is generated if you leave it out. */
      secret?: string
    }
    output: {
      connection: InboundConnection
      /** Only where it was generated, and only in this answer. */
      secret?: string
    }
  }
  listWebhookConnections: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      channel?: 'issue-tracker' | 'chat' | 'collab' | 'email' | 'bot'
      status?: 'active' | 'paused'
    }
    output: {
      connections: Array<InboundConnection>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'connections'
  }
  getWebhookConnection: {
    input: {
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  updateWebhookConnection: {
    input: {
      connectionId: string
      name?: string
      /** The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them. */
      orgId?: string | null
      /** The account as the provider names it in its payloads (installation, team, organization, topic). Needed for deliveries to the address without a connection id. It only decides whose secrets are tried. */
      account?: string | null
      /** What the scheme needs to know about the provider: an application id, topics, a user name. No secrets. */
      settings?: Record<string, string | Array<string>>
    }
    output: {
      connection: InboundConnection
    }
  }
  deleteWebhookConnection: {
    input: {
      connectionId: string
    }
    output: undefined
  }
  pauseWebhookConnection: {
    input: {
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  resumeWebhookConnection: {
    input: {
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  rotateWebhookConnectionSecret: {
    input: {
      connectionId: string
      /** Write-only. Required where the provider generates it. Where you may choose it, one is generated if you leave it out. */
      secret?: string
      /** How long the previous secret stays valid. */
      overlapSeconds?: number
    }
    output: {
      connection: InboundConnection
      /** Only where it was generated, and only in this answer. */
      secret?: string
    }
  }
  testWebhookConnection: {
    input: {
      connectionId: string
    }
    output: {
      isVerified: boolean
      /** The state of the delivery. rejected: it was not accepted. */
      status: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
      /** The delivery in the log; null where it was not stored. */
      deliveryId: string | null
      cause: 'SIGNATURE_MISSING' | 'SIGNATURE_MALFORMED' | 'SIGNATURE_MISMATCH' | 'TIMESTAMP_MISSING' | 'TIMESTAMP_STALE' | 'TOKEN_EXPIRED' | 'ISSUER_MISMATCH' | 'AUDIENCE_MISMATCH' | 'KEY_UNKNOWN' | 'SERVICE_URL_MISMATCH' | 'ENDORSEMENT_MISSING' | 'CERTIFICATE_REFUSED' | 'TOPIC_UNKNOWN' | 'UNREADABLE' | 'ACCOUNT_SHARED' | 'CONNECTION_PAUSED' | 'CONNECTION_DELETED' | 'TENANT_SUSPENDED' | 'CONTENT_TYPE' | 'BODY_TOO_LARGE' | 'BODY_TOO_MANY_MEMBERS' | 'UNUSABLE' | 'UNPROCESSABLE' | 'FAILED' | null
      detail: string | null
      /** What processing it changed. */
      effects: Array<{
        kind: 'task' | 'answer' | 'message'
        action: 'created' | 'updated' | 'unchanged' | 'drafted' | 'stored'
        /** Its id: of an answer in `/assistant/v1/answers`, of a message in `/assistant/v1/email/messages`. */
        targetId: string
        /** PENDING waits for something that is not connected yet. It is not lost. */
        status: 'DONE' | 'PENDING'
        /** What a pending effect waits for. */
        reason?: string
      }>
    }
  }
  createTenantWebhookConnection: {
    input: {
      tenantId: string
      /** How the provider signs its deliveries. */
      scheme: 'jira-hmac' | 'jira-jwt' | 'linear' | 'github' | 'slack' | 'bot-framework' | 'graph' | 'sns' | 'mailgun' | 'postmark' | 'sendgrid' | 'recall' | 'attendee' | 'vexa' | 'zoom' | 'google-channel'
      name: string
      /** The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them. */
      orgId?: string | null
      /** The account as the provider names it in its payloads (installation, team, organization, topic). Needed for deliveries to the address without a connection id. It only decides whose secrets are tried. */
      account?: string | null
      /** What the scheme needs to know about the provider: an application id, topics, a user name. No secrets. */
      settings?: Record<string, string | Array<string>>
      /** Write-only. Required where the provider generates it. Where you may choose it, one is generated if you leave it out. */
      secret?: string
    }
    output: {
      connection: InboundConnection
      /** Only where it was generated, and only in this answer. */
      secret?: string
    }
  }
  listTenantWebhookConnections: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      channel?: 'issue-tracker' | 'chat' | 'collab' | 'email' | 'bot'
      status?: 'active' | 'paused'
    }
    output: {
      connections: Array<InboundConnection>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'connections'
  }
  getTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  updateTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
      name?: string
      /** The organization on whose board the issues of a tracker stand. Null: only administrators of the tenant see them. */
      orgId?: string | null
      /** The account as the provider names it in its payloads (installation, team, organization, topic). Needed for deliveries to the address without a connection id. It only decides whose secrets are tried. */
      account?: string | null
      /** What the scheme needs to know about the provider: an application id, topics, a user name. No secrets. */
      settings?: Record<string, string | Array<string>>
    }
    output: {
      connection: InboundConnection
    }
  }
  deleteTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
    }
    output: undefined
  }
  pauseTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  resumeTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
    }
    output: {
      connection: InboundConnection
    }
  }
  rotateTenantWebhookConnectionSecret: {
    input: {
      tenantId: string
      connectionId: string
      /** Write-only. Required where the provider generates it. Where you may choose it, one is generated if you leave it out. */
      secret?: string
      /** How long the previous secret stays valid. */
      overlapSeconds?: number
    }
    output: {
      connection: InboundConnection
      /** Only where it was generated, and only in this answer. */
      secret?: string
    }
  }
  testTenantWebhookConnection: {
    input: {
      tenantId: string
      connectionId: string
    }
    output: {
      isVerified: boolean
      /** The state of the delivery. rejected: it was not accepted. */
      status: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
      /** The delivery in the log; null where it was not stored. */
      deliveryId: string | null
      cause: 'SIGNATURE_MISSING' | 'SIGNATURE_MALFORMED' | 'SIGNATURE_MISMATCH' | 'TIMESTAMP_MISSING' | 'TIMESTAMP_STALE' | 'TOKEN_EXPIRED' | 'ISSUER_MISMATCH' | 'AUDIENCE_MISMATCH' | 'KEY_UNKNOWN' | 'SERVICE_URL_MISMATCH' | 'ENDORSEMENT_MISSING' | 'CERTIFICATE_REFUSED' | 'TOPIC_UNKNOWN' | 'UNREADABLE' | 'ACCOUNT_SHARED' | 'CONNECTION_PAUSED' | 'CONNECTION_DELETED' | 'TENANT_SUSPENDED' | 'CONTENT_TYPE' | 'BODY_TOO_LARGE' | 'BODY_TOO_MANY_MEMBERS' | 'UNUSABLE' | 'UNPROCESSABLE' | 'FAILED' | null
      detail: string | null
      /** What processing it changed. */
      effects: Array<{
        kind: 'task' | 'answer' | 'message'
        action: 'created' | 'updated' | 'unchanged' | 'drafted' | 'stored'
        /** Its id: of an answer in `/assistant/v1/answers`, of a message in `/assistant/v1/email/messages`. */
        targetId: string
        /** PENDING waits for something that is not connected yet. It is not lost. */
        status: 'DONE' | 'PENDING'
        /** What a pending effect waits for. */
        reason?: string
      }>
    }
  }
  listInboundDeliveries: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** received and retrying wait to be processed; processed and ignored are done; dead has failed for good; rejected was not accepted. */
      status?: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
    }
    output: {
      deliveries: Array<InboundDelivery>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'deliveries'
  }
  getInboundDelivery: {
    input: {
      deliveryId: string
    }
    output: {
      delivery: InboundDeliveryWithTimeline
    }
  }
  replayInboundDelivery: {
    input: {
      deliveryId: string
    }
    output: {
      delivery: InboundDeliveryWithTimeline
    }
  }
  replayInboundDeliveries: {
    input: {
      /** Deliveries in this state; by default dead. */
      status?: 'dead' | 'ignored' | 'processed'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
      limit?: number
    }
    output: {
      /** How many deliveries now wait to be processed again. */
      replayed: number
      /** True where the limit left some out: repeat the request. */
      hasMore: boolean
    }
  }
  listTenantInboundDeliveries: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** received and retrying wait to be processed; processed and ignored are done; dead has failed for good; rejected was not accepted. */
      status?: 'received' | 'processed' | 'ignored' | 'retrying' | 'dead' | 'rejected'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
    }
    output: {
      deliveries: Array<InboundDelivery>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'deliveries'
  }
  getTenantInboundDelivery: {
    input: {
      tenantId: string
      deliveryId: string
    }
    output: {
      delivery: InboundDeliveryWithTimeline
    }
  }
  replayTenantInboundDelivery: {
    input: {
      tenantId: string
      deliveryId: string
    }
    output: {
      delivery: InboundDeliveryWithTimeline
    }
  }
  replayTenantInboundDeliveries: {
    input: {
      tenantId: string
      /** Deliveries in this state; by default dead. */
      status?: 'dead' | 'ignored' | 'processed'
      /** UUIDv7, lower case. */
      connectionId?: string
      /** Received at this time or later. */
      from?: string
      /** Received before this time. */
      to?: string
      limit?: number
    }
    output: {
      /** How many deliveries now wait to be processed again. */
      replayed: number
      /** True where the limit left some out: repeat the request. */
      hasMore: boolean
    }
  }
  listIntegrationProviders: {
    input: {}
    output: {
      providers: Array<{
        provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
        name: string
        /** Whether the tenant or this installation has an OAuth app at the provider. */
        configured: boolean
        /** The address to register with the OAuth app. Null: this installation has no PUBLIC_URL that providers accept. */
        redirectUri: string | null
        features: Array<{
          name: 'calendar' | 'transcripts' | 'post' | 'answer' | 'tasks' | 'export' | 'import' | 'crm' | 'mail'
          /** What is asked of the user for this feature. Empty: the provider has no scopes. */
          scopes: Array<string>
        }>
      }>
    }
  }
  listIntegrationApps: {
    input: {}
    output: {
      apps: Array<{
        provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
        clientId: string
        /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
        settings: Record<string, string>
        createdAt: string
        updatedAt: string
      }>
    }
  }
  setIntegrationApp: {
    input: {
      provider: string
      clientId: string
      /** Write-only. */
      clientSecret: string
      /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
      settings?: Record<string, string>
    }
    output: {
      app: {
        provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
        clientId: string
        /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
        settings: Record<string, string>
        createdAt: string
        updatedAt: string
      }
    }
  }
  deleteIntegrationApp: {
    input: {
      provider: string
    }
    output: undefined
  }
  listPlatformIntegrationApps: {
    input: {}
    output: {
      apps: Array<{
        provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
        clientId: string
        /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
        settings: Record<string, string>
        createdAt: string
        updatedAt: string
      }>
    }
  }
  setPlatformIntegrationApp: {
    input: {
      provider: string
      clientId: string
      /** Write-only. */
      clientSecret: string
      /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
      settings?: Record<string, string>
    }
    output: {
      app: {
        provider: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
        clientId: string
        /** What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none. */
        settings: Record<string, string>
        createdAt: string
        updatedAt: string
      }
    }
  }
  deletePlatformIntegrationApp: {
    input: {
      provider: string
    }
    output: undefined
  }
  connectIntegration: {
    input: {
      provider: string
      /** The features to connect. */
      features: Array<'calendar' | 'transcripts' | 'post' | 'answer' | 'tasks' | 'export' | 'import' | 'crm' | 'mail'>
      /** For an organization, of which you are an admin. Absent: for yourself. */
      orgId?: string
      /** Where the browser goes at the end, with `integrationId` and `confirmation`, or `error`. Absent: a page of ours shows the confirmation. */
      returnTo?: string
      /** Connects this one again, or adds features to it. It has to be the same account. */
      integrationId?: string
      /** Whether the access token can be read with the API. Only with an OAuth app of the tenant’s own. */
      broker?: boolean
    }
    output: {
      connect: {
        /** UUIDv7, lower case. */
        integrationId: string
        /** For the user’s browser. It works once. */
        startUrl: string
        expiresAt: string
      }
    }
  }
  confirmIntegration: {
    input: {
      integrationId: string
      confirmation: string
    }
    output: {
      integration: Integration
    }
  }
  getIntegrationReturns: {
    input: {}
    output: {
      /** Exact origins. Plain HTTP is allowed only for localhost and 127.0.0.1. */
      origins: Array<string>
    }
  }
  setIntegrationReturns: {
    input: {
      /** Exact origins. Plain HTTP is allowed only for localhost and 127.0.0.1. */
      origins: Array<string>
    }
    output: {
      /** Exact origins. Plain HTTP is allowed only for localhost and 127.0.0.1. */
      origins: Array<string>
    }
  }
  startIntegration: {
    input: {
      ticket: string
      body: string | Blob | Record<string, unknown>
    }
    output: unknown
  }
  createIntegrationAction: {
    input: {
      integrationId: string
      action: 'post_summary' | 'create_issue' | 'export_meeting' | 'log_meeting'
      /** For `post_summary`, `export_meeting` and `log_meeting`. */
      meetingId?: string
      /** For `create_issue`. */
      taskId?: string
      /** By provider: slack `{channelId}`, microsoft `{teamId, channelId}`, github `{repository}`, linear `{teamId}`, atlassian `{projectId, issueTypeId?}`, notion `{pageId}`, google `{folderId?}`, hubspot none. Absent: the one in the settings of the feature. */
      target?: Record<string, string>
    }
    output: {
      action: IntegrationAction
    }
  }
  listIntegrationActions: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** The actions of this organization’s integrations. Absent: of your own integrations. */
      orgId?: string
      /** UUIDv7, lower case. */
      integrationId?: string
      status?: 'queued' | 'sending' | 'uncertain' | 'done' | 'failed' | 'cancelled'
    }
    output: {
      actions: Array<IntegrationAction>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'actions'
  }
  getIntegrationAction: {
    input: {
      actionId: string
    }
    output: {
      action: IntegrationAction
    }
  }
  retryIntegrationAction: {
    input: {
      actionId: string
    }
    output: {
      action: IntegrationAction
    }
  }
  cancelIntegrationAction: {
    input: {
      actionId: string
    }
    output: {
      action: IntegrationAction
    }
  }
  listIntegrations: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      /** The integrations of this organization. Absent: your own. */
      orgId?: string
      provider?: 'google' | 'microsoft' | 'slack' | 'zoom' | 'atlassian' | 'github' | 'linear' | 'notion' | 'hubspot'
    }
    output: {
      integrations: Array<Integration>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'integrations'
  }
  getIntegration: {
    input: {
      integrationId: string
    }
    output: {
      integration: Integration
    }
  }
  updateIntegration: {
    input: {
      integrationId: string
      ifMatch?: string
      /** Settings are replaced as a whole. */
      features: Array<{
        name: 'calendar' | 'transcripts' | 'post' | 'answer' | 'tasks' | 'export' | 'import' | 'crm' | 'mail'
        status?: 'on' | 'off'
        /** By feature: `post`, `tasks` and `export` have `target` and `when`, `calendar` has `calendarIds` and `when`, `import` has `fileIds` and `collectionId`, `crm` has `when`. With `when: manual` nothing is written automatically. */
        settings?: Record<string, unknown>
      }>
    }
    output: {
      integration: Integration
    }
  }
  deleteIntegration: {
    input: {
      integrationId: string
      ifMatch?: string
    }
    output: undefined
  }
  chooseIntegrationAccount: {
    input: {
      integrationId: string
      accountId: string
    }
    output: {
      integration: Integration
    }
  }
  testIntegration: {
    input: {
      integrationId: string
    }
    output: {
      integration: Integration
      result: {
        ok: boolean
        cause: string | null
      }
    }
  }
  refreshIntegration: {
    input: {
      integrationId: string
    }
    output: {
      integration: Integration
      result: {
        ok: boolean
        cause: string | null
      }
    }
  }
  getIntegrationToken: {
    input: {
      integrationId: string
    }
    output: {
      accessToken: string
      expiresAt: string | null
      scopes: Array<string>
    }
  }
  syncIntegration: {
    input: {
      integrationId: string
    }
    output: {
      integration: Integration
      result: {
        ok: boolean
        cause: string | null
      }
    }
  }
  listImportedFiles: {
    input: {
      integrationId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      files: Array<{
        /** The provider’s id of the file. */
        fileId: string
        /** Null until it was read for the first time. */
        title: string | null
        /** UUIDv7, lower case. */
        documentId: string | null
        /** `removed`: it is gone at the provider, or somebody deleted its document here. `stopped`: it is no longer chosen; its document stays. */
        status: 'waiting' | 'imported' | 'failed' | 'removed' | 'stopped'
        /** Why it failed or was removed. */
        cause: string | null
        /** When its newest version was imported. */
        importedAt: string | null
        /** When the provider was last asked for it. */
        checkedAt: string | null
      }>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'files'
  }
  listWebhookEventTypes: {
    input: {}
    output: {
      eventTypes: Array<WebhookEventType>
    }
  }
  listWebhookEndpoints: {
    input: {
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      endpoints: Array<WebhookEndpoint>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'endpoints'
  }
  createWebhookEndpoint: {
    input: {
      /** An `https` URL on port 443 or 8443 of a public host. */
      url: string
      description?: string | null
      /** Event types, or prefixes such as `license.*`. An empty list subscribes to all. */
      eventTypes?: Array<string>
      /** The maximum number of deliveries per minute; further ones are sent later. Null: no limit. */
      ratePerMinute?: number | null
    }
    output: {
      endpoint: WebhookEndpoint
      /** The signing secret (Standard Webhooks). It is shown only in this answer. */
      secret: string
    }
  }
  getWebhookEndpoint: {
    input: {
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  updateWebhookEndpoint: {
    input: {
      endpointId: string
      /** An `https` URL on port 443 or 8443 of a public host. */
      url?: string
      description?: string | null
      /** Event types, or prefixes such as `license.*`. An empty list subscribes to all. */
      eventTypes?: Array<string>
      /** The maximum number of deliveries per minute; further ones are sent later. Null: no limit. */
      ratePerMinute?: number | null
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  deleteWebhookEndpoint: {
    input: {
      endpointId: string
    }
    output: undefined
  }
  rotateWebhookEndpointSecret: {
    input: {
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
      /** The signing secret (Standard Webhooks). It is shown only in this answer. */
      secret: string
    }
  }
  enableWebhookEndpoint: {
    input: {
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  listTenantWebhookEndpoints: {
    input: {
      tenantId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
    }
    output: {
      endpoints: Array<WebhookEndpoint>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'endpoints'
  }
  createTenantWebhookEndpoint: {
    input: {
      tenantId: string
      /** An `https` URL on port 443 or 8443 of a public host. */
      url: string
      description?: string | null
      /** Event types, or prefixes such as `license.*`. An empty list subscribes to all. */
      eventTypes?: Array<string>
      /** The maximum number of deliveries per minute; further ones are sent later. Null: no limit. */
      ratePerMinute?: number | null
    }
    output: {
      endpoint: WebhookEndpoint
      /** The signing secret (Standard Webhooks). It is shown only in this answer. */
      secret: string
    }
  }
  getTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  updateTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
      /** An `https` URL on port 443 or 8443 of a public host. */
      url?: string
      description?: string | null
      /** Event types, or prefixes such as `license.*`. An empty list subscribes to all. */
      eventTypes?: Array<string>
      /** The maximum number of deliveries per minute; further ones are sent later. Null: no limit. */
      ratePerMinute?: number | null
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  deleteTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
    }
    output: undefined
  }
  rotateTenantWebhookEndpointSecret: {
    input: {
      tenantId: string
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
      /** The signing secret (Standard Webhooks). It is shown only in this answer. */
      secret: string
    }
  }
  enableTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
    }
    output: {
      endpoint: WebhookEndpoint
    }
  }
  listWebhookDeliveries: {
    input: {
      endpointId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'PENDING' | 'DELIVERED' | 'FAILED'
    }
    output: {
      deliveries: Array<WebhookDelivery>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'deliveries'
  }
  testWebhookEndpoint: {
    input: {
      endpointId: string
      /** The event carries the data of its example. Default: `webhook.test`. */
      eventType?: 'tenant.suspended' | 'tenant.activated' | 'tenant.removed' | 'tenant.user.created' | 'tenant.user.suspended' | 'tenant.user.activated' | 'tenant.user.removed' | 'vault.device.registered' | 'vault.device.revoked' | 'vault.session.started' | 'vault.session.ended' | 'license.issued' | 'license.exhausted' | 'license.expiring' | 'license.expired' | 'license.revoked' | 'meeting.created' | 'meeting.shared' | 'meeting.completed' | 'meeting.deleted' | 'meeting.transcript.updated' | 'meeting.summary.ready' | 'email.received' | 'email.sent' | 'email.bounced' | 'email.drafted' | 'email.suppressed' | 'bot.waiting' | 'bot.joined' | 'bot.degraded' | 'bot.left' | 'bot.failed' | 'org.created' | 'org.deleted' | 'org.member.joined' | 'org.member.changed' | 'org.member.left' | 'org.task.created' | 'org.task.changed' | 'org.task.completed' | 'org.task.deleted' | 'task.conflicted' | 'org.document.ready' | 'org.document.failed' | 'org.document.deleted' | 'integration.connected' | 'integration.reauth_required' | 'integration.action.failed' | 'integration.disconnected' | 'usage.threshold.reached' | 'webhook.endpoint.disabled' | 'webhook.test'
    }
    output: {
      delivery: WebhookDelivery
    }
  }
  resendWebhookDelivery: {
    input: {
      endpointId: string
      messageId: string
    }
    output: {
      delivery: WebhookDelivery
    }
  }
  recoverWebhookEndpoint: {
    input: {
      endpointId: string
      since: string
    }
    output: {
      /** UUIDv7, lower case. */
      endpointId: string
      /** How many will be sent again: at most 500 per call. */
      recovered: number
      /** Failed deliveries that are left for another call. */
      remaining: number
    }
  }
  listTenantWebhookDeliveries: {
    input: {
      tenantId: string
      endpointId: string
      /** Counts from 1. */
      page?: number
      /** Entries a page. */
      limit?: number
      status?: 'PENDING' | 'DELIVERED' | 'FAILED'
    }
    output: {
      deliveries: Array<WebhookDelivery>
      pagination: {
        page: number
        limit: number
        total: number
        totalPages: number
      }
    }
    list: 'deliveries'
  }
  testTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
      /** The event carries the data of its example. Default: `webhook.test`. */
      eventType?: 'tenant.suspended' | 'tenant.activated' | 'tenant.removed' | 'tenant.user.created' | 'tenant.user.suspended' | 'tenant.user.activated' | 'tenant.user.removed' | 'vault.device.registered' | 'vault.device.revoked' | 'vault.session.started' | 'vault.session.ended' | 'license.issued' | 'license.exhausted' | 'license.expiring' | 'license.expired' | 'license.revoked' | 'meeting.created' | 'meeting.shared' | 'meeting.completed' | 'meeting.deleted' | 'meeting.transcript.updated' | 'meeting.summary.ready' | 'email.received' | 'email.sent' | 'email.bounced' | 'email.drafted' | 'email.suppressed' | 'bot.waiting' | 'bot.joined' | 'bot.degraded' | 'bot.left' | 'bot.failed' | 'org.created' | 'org.deleted' | 'org.member.joined' | 'org.member.changed' | 'org.member.left' | 'org.task.created' | 'org.task.changed' | 'org.task.completed' | 'org.task.deleted' | 'task.conflicted' | 'org.document.ready' | 'org.document.failed' | 'org.document.deleted' | 'integration.connected' | 'integration.reauth_required' | 'integration.action.failed' | 'integration.disconnected' | 'usage.threshold.reached' | 'webhook.endpoint.disabled' | 'webhook.test'
    }
    output: {
      delivery: WebhookDelivery
    }
  }
  resendTenantWebhookDelivery: {
    input: {
      tenantId: string
      endpointId: string
      messageId: string
    }
    output: {
      delivery: WebhookDelivery
    }
  }
  recoverTenantWebhookEndpoint: {
    input: {
      tenantId: string
      endpointId: string
      since: string
    }
    output: {
      /** UUIDv7, lower case. */
      endpointId: string
      /** How many will be sent again: at most 500 per call. */
      recovered: number
      /** Failed deliveries that are left for another call. */
      remaining: number
    }
  }
}
