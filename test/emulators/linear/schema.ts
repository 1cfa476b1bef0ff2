import { buildSchema } from 'graphql'

/** The parts of Linear's public schema that an integration uses. */
export const linearSchema = buildSchema(`
  scalar DateTime
  scalar TimelessDate
  type Query {
    viewer: User!
    organization: Organization!
    team(id: String!): Team!
    teams(first: Int, after: String): TeamConnection!
    users(filter: UserFilter, first: Int, after: String): UserConnection!
    workflowStates(first: Int, after: String): WorkflowStateConnection!
    issue(id: String!): Issue!
    webhooks(first: Int, after: String): WebhookConnection!
    issues(filter: IssueFilter, first: Int, after: String, orderBy: PaginationOrderBy): IssueConnection!
  }
  type Mutation {
    issueCreate(input: IssueCreateInput!): IssuePayload!
    issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
    commentCreate(input: CommentCreateInput!): CommentPayload!
    webhookCreate(input: WebhookCreateInput!): WebhookPayload!
    webhookDelete(id: String!): DeletePayload!
  }
  enum PaginationOrderBy { createdAt updatedAt }
  type User { id: ID! name: String! email: String! displayName: String! }
  type Organization { id: ID! name: String! urlKey: String! }
  type Team { id: ID! name: String! key: String! states: WorkflowStateConnection! }
  type TeamConnection { nodes: [Team!]! }
  type UserConnection { nodes: [User!]! }
  type WorkflowState { id: ID! name: String! type: String! }
  type WorkflowStateConnection { nodes: [WorkflowState!]! }
  type Issue {
    id: ID! identifier: String! number: Float! title: String! description: String url: String!
    state: WorkflowState! assignee: User team: Team! dueDate: TimelessDate createdAt: DateTime! updatedAt: DateTime!
  }
  type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type IssuePayload { success: Boolean! issue: Issue }
  type Comment { id: ID! }
  type CommentPayload { success: Boolean! comment: Comment! }
  type WebhookConnection { nodes: [Webhook!]! }
  type Webhook { id: ID! url: String enabled: Boolean! secret: String }
  type WebhookPayload { success: Boolean! webhook: Webhook! }
  type DeletePayload { success: Boolean! }
  input DateComparator { gt: DateTime gte: DateTime }
  input IDComparator { eq: ID in: [ID!] }
  input StringComparator { eq: String eqIgnoreCase: String }
  input UserFilter { email: StringComparator }
  input TeamFilter { id: IDComparator }
  input IssueFilter { updatedAt: DateComparator id: IDComparator team: TeamFilter }
  input IssueCreateInput {
    id: String teamId: String! title: String description: String stateId: String assigneeId: String
    dueDate: TimelessDate labelIds: [String!] priority: Int
  }
  input IssueUpdateInput {
    title: String description: String stateId: String assigneeId: String dueDate: TimelessDate labelIds: [String!] priority: Int
  }
  input CommentCreateInput { id: String issueId: String! body: String }
  input WebhookCreateInput {
    url: String! resourceTypes: [String!]! teamId: String allPublicTeams: Boolean label: String secret: String enabled: Boolean
  }
`)
