/** Fields that no scope allows, as tested in test/gateway/step-up.test.ts and test/tenancy.test.ts. */
export const FOR_PEOPLE = [
  ...["user", "users", "sessions", "apiKey", "apiKeys", "scimTokens", "socketTokens", "auditEvents"],
  ...["inviteUser", "resendInvitation", "updateUserRole", "suspendUser", "unsuspendUser", "deleteUser"],
  ...["createApiKey", "updateApiKey", "rotateApiKey", "revokeApiKey", "rotateScimToken", "revokeScimToken"],
  ...["updateWorkspace", "updateProfile", "requestEmailChange", "changePassword", "confirmPassword"],
  ...["revokeSession", "revokeOtherSessions", "logOutEverywhere"],
  ...["directoryUsers", "directoryGroups", "directoryResources", "directoryUser", "directoryGroup"],
  ...["createDirectoryUser", "replaceDirectoryUser", "patchDirectoryUser", "deleteDirectoryUser"],
  ...["createDirectoryGroup", "replaceDirectoryGroup", "patchDirectoryGroup", "deleteDirectoryGroup"],
  ...["mapDirectoryGroup"],
  ...["renameAgent", "archiveAgent", "setAgentControlState", "emergencyStop", "releaseEmergencyStop"],
  ...["resumeAgents", "releaseStop"],
  "updateRobot",
  ...["grantApproval", "denyApproval", "revokeApproval"],
  ...["promoteEvalBaseline", "createPolicy", "updatePolicy", "deletePolicy"],
  ...["createBudget", "updateBudget", "deleteBudget", "releaseAssumed"],
  "resolveExecution",
];
