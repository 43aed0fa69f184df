// A plugin for clang (tests/codegen/check): it follows LOOMP_MAY_SWITCH (platform/common.h) through
// the functions of a source. A function that is marked may return on another thread. The plugin
// reports
//   - a function that calls a marked one and is not marked itself;
//   - a use of a worker, of what lies inside it, of a thread_local variable or of errno on a path
//   after a call of
//     a marked function, unless the variable got a new value since.
//
// Lambdas, instances of templates and extern "C" functions need no mark: their bodies tell, where
// they can be seen. A call through a pointer counts if its type is an alias that is marked.
// LOOMP_MAY_SWITCH_IF_TRUE: the function has switched only if it returned true. LOOMP_STAYS: it
// returns on its thread, whatever it calls.
#include <map>
#include <set>
#include <string>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Analysis/CFG.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace {

using namespace clang;

enum class Switches { never, if_true, always };

Switches mark_of(const Decl *declaration) {
    if (declaration != nullptr)
        for (const auto *mark : declaration->specific_attrs<AnnotateAttr>()) {
            if (mark->getAnnotation() == "loomp_may_switch")
                return Switches::always;
            if (mark->getAnnotation() == "loomp_may_switch_if_true")
                return Switches::if_true;
        }
    return Switches::never;
}

/// Whether the frames of a function are tied to their thread, whatever it calls.
bool stays(const Decl *declaration) {
    for (const auto *mark : declaration->specific_attrs<AnnotateAttr>())
        if (mark->getAnnotation() == "loomp_stays")
            return true;
    return false;
}

/// The mark of the alias that a pointer to a function is declared with.
Switches mark_of(QualType type) {
    for (const auto *alias = type->getAs<TypedefType>(); alias != nullptr;
         alias = alias->desugar()->getAs<TypedefType>())
        if (const Switches mark = mark_of(alias->getDecl()); mark != Switches::never)
            return mark;
    return Switches::never;
}

/// The class that a type refers to, or is.
const CXXRecordDecl *class_of(QualType type) {
    if (type->isReferenceType() || type->isPointerType())
        type = type->getPointeeType();
    return type->getAsCXXRecordDecl();
}

bool is_worker(QualType type) {
    const CXXRecordDecl *record = class_of(type);
    return record != nullptr && record->getName() == "Worker" &&
           record->getQualifiedNameAsString() == "loomp::core::Worker";
}

bool is_handle(QualType type) { return type->isReferenceType() || type->isPointerType(); }

const Expr *bare(const Expr *expression) {
    for (;;) {
        expression = expression->IgnoreParenImpCasts();
        const auto *unary = dyn_cast<UnaryOperator>(expression);
        if (unary == nullptr || (unary->getOpcode() != UO_AddrOf && unary->getOpcode() != UO_Deref))
            return expression;
        expression = unary->getSubExpr();
    }
}

/// Finds all nodes of a type in a body, without those of lambdas in it.
template <class Node, class Act> void for_each(const Stmt *body, Act act) {
    if (body == nullptr)
        return;
    if (const auto *node = dyn_cast<Node>(body))
        act(node);
    if (const auto *lambda = dyn_cast<LambdaExpr>(body)) {
        for (const Expr *capture : lambda->capture_inits())
            for_each<Node>(capture, act);
        return;
    }
    for (const Stmt *child : body->children())
        for_each<Node>(child, act);
}

class Functions {
  public:
    Switches of(const FunctionDecl *function) {
        if (function == nullptr)
            return Switches::never;
        if (const Switches mark = mark_of(function); mark != Switches::never)
            return mark;
        const FunctionDecl *definition = nullptr;
        if (stays(function) || !needs_no_mark(function) || !function->hasBody(definition))
            return Switches::never;
        auto [found, fresh] = known_.try_emplace(definition, Switches::never);
        if (fresh) {
            bool any = false;
            for_each<Expr>(definition->getBody(), [&](const Expr *expression) {
                any |= of_call(expression) != Switches::never;
            });
            known_[definition] = any ? Switches::always : Switches::never;
        }
        return known_[definition];
    }

    /// Returns what an expression does by itself, if it is a call.
    Switches of_call(const Expr *expression) {
        if (const auto *made = dyn_cast<CXXConstructExpr>(expression))
            return of(made->getConstructor());
        const auto *call = dyn_cast<CallExpr>(expression);
        if (call == nullptr)
            return Switches::never;
        if (const FunctionDecl *callee = call->getDirectCallee())
            return of(callee);
        const Expr *callee = bare(call->getCallee());
        if (const Switches mark = mark_of(callee->getType()); mark != Switches::never)
            return mark;
        const auto *alternatives = dyn_cast<OverloadExpr>(callee); // in a template
        if (alternatives == nullptr || alternatives->decls().empty())
            return Switches::never;
        for (const NamedDecl *one : alternatives->decls()) {
            const auto *made = dyn_cast<FunctionTemplateDecl>(one);
            if (mark_of(made != nullptr ? made->getTemplatedDecl() : one) == Switches::never)
                return Switches::never;
        }
        return Switches::always;
    }

    static bool needs_no_mark(const FunctionDecl *function) {
        if (function->isTemplateInstantiation() || function->isImplicit() ||
            function->isDefaulted())
            return true;
        if (function->isExternC())
            return true;
        const auto *method = dyn_cast<CXXMethodDecl>(function);
        return method != nullptr && method->getParent()->isLambda();
    }

  private:
    std::map<const FunctionDecl *, Switches> known_;
};

/// The variables that are out of date at a point: null stands for the thread.
using Stale = std::set<const ValueDecl *>;

class Body {
  public:
    Body(ASTContext &context, Functions &functions, const FunctionDecl *function)
        : context_(context), functions_(functions), function_(function) {}

    /// Calls report(location, what) for each use of what is out of date.
    template <class Report> void examine(Report report) {
        CFG::BuildOptions options;
        options.AddImplicitDtors = true;
        options.setAllAlwaysAdd();
        const std::unique_ptr<CFG> graph =
            CFG::buildCFG(function_, function_->getBody(), &context_, options);
        if (graph == nullptr)
            return;
        collect();
        std::map<const CFGBlock *, Stale> at_entry;
        std::set<const CFGBlock *> work{&graph->getEntry()};
        std::set<const CFGBlock *> seen{&graph->getEntry()};
        while (!work.empty()) {
            const CFGBlock *block = *work.begin();
            work.erase(work.begin());
            Stale after = at_entry[block];
            pass(*block, after, [](SourceLocation, std::string) {});
            bool flips = false;
            const Expr *decides = condition_of(*block, flips);
            const bool conditional =
                decides != nullptr && functions_.of_call(decides) == Switches::if_true;
            unsigned number = 0;
            for (const CFGBlock *next : block->succs()) {
                Stale with = after;
                // The first successor is the one where the condition holds.
                if (conditional && (number == 0) != flips)
                    with.insert(all_.begin(), all_.end());
                ++number;
                if (next == nullptr)
                    continue;
                Stale &into = at_entry[next];
                const std::size_t before = into.size();
                into.insert(with.begin(), with.end());
                if (into.size() != before || seen.insert(next).second)
                    work.insert(next);
            }
        }
        for (const auto &[block, stale] : at_entry) {
            Stale now = stale;
            pass(*block, now, report);
        }
    }

  private:
    /// The call whose result a block's branch tests.
    static const Expr *condition_of(const CFGBlock &block, bool &flips) {
        const Expr *condition = block.getLastCondition();
        while (condition != nullptr) {
            condition = condition->IgnoreParenImpCasts();
            if (const auto *unary = dyn_cast<UnaryOperator>(condition);
                unary != nullptr && unary->getOpcode() == UO_LNot) {
                flips = !flips;
                condition = unary->getSubExpr();
                continue;
            }
            const auto *call = dyn_cast<CallExpr>(condition);
            const FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
            if (callee == nullptr || callee->getBuiltinID() == 0 || call->getNumArgs() == 0)
                return condition;
            condition = call->getArg(0); // __builtin_expect()
        }
        return nullptr;
    }

    bool is_conditional_here(const CFGBlock &block, const Expr *call) {
        bool flips = false;
        return condition_of(block, flips) == call;
    }

    /// A variable, or a field of this object, that names a worker or what lies in one.
    bool is_tracked(const ValueDecl *variable) {
        if (variable == nullptr)
            return false;
        const QualType type = variable->getType();
        if (is_handle(type) && is_worker(type))
            return true;
        const auto *local = dyn_cast<VarDecl>(variable);
        if (local == nullptr)
            return false;
        if (local->getTLSKind() != VarDecl::TLS_None)
            return true;
        if (!local->hasLocalStorage() || local->getInit() == nullptr)
            return false;
        // A part of the worker.
        const Expr *init = local->getInit();
        if (type->isReferenceType() ||
            (type->isPointerType() && isa<UnaryOperator>(init->IgnoreParenImpCasts()))) {
            const auto *part = dyn_cast<MemberExpr>(bare(init));
            return part != nullptr && is_worker(part->getBase()->getType()) &&
                   (type->isReferenceType() ? !is_handle(part->getType()) : true);
        }
        return false;
    }

    static const ValueDecl *named(const Stmt *statement) {
        if (const auto *name = dyn_cast<DeclRefExpr>(statement))
            return name->getDecl();
        if (const auto *member = dyn_cast<MemberExpr>(statement))
            if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
                return member->getMemberDecl();
        return nullptr;
    }

    void collect() {
        all_.insert(nullptr);
        for_each<Expr>(function_->getBody(), [&](const Expr *expression) {
            if (const ValueDecl *variable = named(expression); is_tracked(variable))
                all_.insert(variable);
            const auto *binary = dyn_cast<BinaryOperator>(expression);
            if (binary == nullptr)
                return;
            if (binary->getOpcode() == BO_Assign && binary->getLHS()->getType()->isPointerType())
                no_use_.insert(binary->getLHS()->IgnoreParens());
            if (binary->isEqualityOp()) { // of addresses
                no_use_.insert(bare(binary->getLHS()));
                no_use_.insert(bare(binary->getRHS()));
            }
        });
        for_each<LambdaExpr>(function_->getBody(), [&](const LambdaExpr *lambda) {
            for (const LambdaCapture &capture : lambda->captures())
                if (capture.capturesVariable() && is_tracked(capture.getCapturedVar()))
                    all_.insert(capture.getCapturedVar());
        });
    }

    void becomes_stale(Stale &stale) { stale.insert(all_.begin(), all_.end()); }

    template <class Report> void pass(const CFGBlock &block, Stale &stale, Report report) {
        for (const CFGElement &element : block) {
            if (const auto ended = element.getAs<CFGImplicitDtor>()) {
                if (functions_.of(ended->getDestructorDecl(context_)) != Switches::never)
                    becomes_stale(stale);
                continue;
            }
            const auto there = element.getAs<CFGStmt>();
            if (!there)
                continue;
            const Stmt *statement = there->getStmt();
            if (const auto *declared = dyn_cast<DeclStmt>(statement)) {
                for (const Decl *one : declared->decls())
                    if (const auto *variable = dyn_cast<VarDecl>(one))
                        stale.erase(variable);
                continue;
            }
            const auto *expression = dyn_cast<Expr>(statement);
            if (expression == nullptr)
                continue;
            if (const ValueDecl *variable = named(expression);
                variable != nullptr && stale.count(variable) != 0 && no_use_.count(expression) == 0)
                report(expression->getBeginLoc(),
                       variable->getNameAsString() + " is used after a call that may switch");
            // A lambda that is called uses what it has captured.
            if (const auto *name = dyn_cast<DeclRefExpr>(expression))
                if (const auto *held = dyn_cast<VarDecl>(name->getDecl()))
                    if (const CXXRecordDecl *record = held->getType()->getAsCXXRecordDecl();
                        record != nullptr && record->isLambda())
                        for (const LambdaCapture &capture : record->captures())
                            if (capture.capturesVariable() &&
                                stale.count(capture.getCapturedVar()) != 0)
                                report(expression->getBeginLoc(),
                                       capture.getCapturedVar()->getNameAsString() +
                                           " is captured and used after a call that may switch");
            if (const auto *call = dyn_cast<CallExpr>(expression))
                if (const FunctionDecl *callee = call->getDirectCallee();
                    callee != nullptr && callee->getNameAsString() == "__errno_location" &&
                    stale.count(nullptr) != 0)
                    report(expression->getBeginLoc(), "errno is used after a call that may switch");
            const Switches what = functions_.of_call(expression);
            if (what == Switches::always ||
                (what == Switches::if_true && !is_conditional_here(block, expression)))
                becomes_stale(stale);
            if (const auto *binary = dyn_cast<BinaryOperator>(expression);
                binary != nullptr && binary->getOpcode() == BO_Assign &&
                binary->getLHS()->getType()->isPointerType())
                stale.erase(named(binary->getLHS()->IgnoreParens()) != nullptr
                                ? named(binary->getLHS()->IgnoreParens())
                                : function_);
        }
    }

    ASTContext &context_;
    Functions &functions_;
    const FunctionDecl *function_;
    Stale all_;
    std::set<const Expr *> no_use_;
};

class Visitor : public RecursiveASTVisitor<Visitor> {
  public:
    explicit Visitor(ASTContext &context) : context_(context) {}
    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitFunctionDecl(FunctionDecl *function) {
        examine(function);
        return true;
    }
    bool VisitLambdaExpr(LambdaExpr *lambda) {
        if (FunctionTemplateDecl *generic =
                lambda->getLambdaClass()->getDependentLambdaCallOperator())
            for (FunctionDecl *instance : generic->specializations())
                examine(instance);
        else
            examine(lambda->getCallOperator());
        return true;
    }

  private:
    /// Public headers belong to the program.
    bool is_own(const FunctionDecl *function) const {
        const SourceManager &files = context_.getSourceManager();
        const SourceLocation where = files.getExpansionLoc(function->getLocation());
        return !files.isInSystemHeader(where) &&
               !files.getFilename(where).contains("include/loomp/");
    }

    void examine(const FunctionDecl *function) {
        if (!function->doesThisDeclarationHaveABody() || !is_own(function) ||
            !done_.insert(function).second || stays(function))
            return;
        if (mark_of(function) == Switches::never && !Functions::needs_no_mark(function))
            for_each<Expr>(function->getBody(), [&](const Expr *expression) {
                if (functions_.of_call(expression) != Switches::never)
                    report(expression->getBeginLoc(), *function,
                           "calls a function that may switch, and is not marked");
            });
        if (function->isDependentContext())
            return;
        // The first use of each variable.
        std::map<std::string, SourceLocation> uses;
        Body(context_, functions_, function)
            .examine([&](SourceLocation where, const std::string &what) {
                auto [found, fresh] = uses.try_emplace(what, where);
                if (!fresh && where.getRawEncoding() < found->second.getRawEncoding())
                    found->second = where;
            });
        for (const auto &[what, where] : uses)
            report(where, *function, what);
    }

    void report(SourceLocation where, const FunctionDecl &function, const std::string &what) {
        DiagnosticsEngine &diagnostics = context_.getDiagnostics();
        const unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0: %1");
        const std::string name = function.getQualifiedNameAsString();
        if (reported_.insert({where.getRawEncoding(), what}).second)
            diagnostics.Report(where, id) << name << what;
    }

    ASTContext &context_;
    Functions functions_;
    std::set<const FunctionDecl *> done_;
    std::set<std::pair<unsigned, std::string>> reported_;
};

class Consumer : public ASTConsumer {
  public:
    void HandleTranslationUnit(ASTContext &context) override {
        if (!context.getDiagnostics().hasErrorOccurred())
            Visitor(context).TraverseDecl(context.getTranslationUnitDecl());
    }
};

class Action : public PluginASTAction {
  protected:
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override {
        return std::make_unique<Consumer>();
    }
    bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
        return true;
    }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<Action> action("loomp-may-switch", "follows LOOMP_MAY_SWITCH");

} // namespace
